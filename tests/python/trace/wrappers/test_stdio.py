"""Streams of stdio: what the program asks of them, since the C library does the rest past all wrappers."""

from pathlib import Path

from ..programs import AS_WRITTEN, Record, calls


def test_blocks_and_positions(record: Record) -> None:
    (process,) = record("""
        FILE *f = fopen("a", "w+");
        fwrite(data, 10, 7, f);
        fwrite(data, 1, 5, f);
        fseek(f, 20, SEEK_SET);
        fread(data, 4, 3, f);
        fread(data, 10, 100, f);
        rewind(f);
        fread(data, 1, 1, f);
        fflush(f);
        fclose(f);
        """)
    opened, *rest, closed = calls(process)
    assert opened[:3] == ("fopen", "a", -1)
    assert rest == [
        ("fwrite", "a", 0, 70, 70),
        ("fwrite", "a", 70, 5, 5),
        ("fseek", "a", 20, 0, 0),
        ("fread", "a", 20, 12, 12),
        ("fread", "a", 32, 1000, 43),
        ("rewind", "a", 0, 0, 0),
        ("fread", "a", 0, 1, 1),
        ("fflush", "a", 1, 0, 0),
    ]
    assert closed == ("fclose", "a", -1, 0, 0)


def test_characters_lines_and_formats(record: Record) -> None:
    (process,) = record(
        """
        char line[100], *got = NULL; size_t room = 0; int n, m;
        FILE *f = fopen("a", "w");
        fprintf(f, "%d %d\\n", 12, 345);
        fputs("second line\\n", f);
        fputc('x', f);
        putc('\\n', f);
        fclose(f);
        f = fopen("a", "r");
        fscanf(f, "%d %d", &n, &m);
        fgets(line, 100, f);
        getline(&got, &room, f);
        ungetc(fgetc(f), f);
        getc(f);
        fgets(line, 100, f);
        fgets(line, 100, f);
        fclose(f);
        return n == 12 && m == 345 ? 0 : 1;
        """,
        options=AS_WRITTEN,
    )
    moved = [(name, offset, result) for name, _, offset, _, result in calls(process)]
    moved = [row for row in moved if row[0] not in ("fopen", "fclose")]
    assert moved == [
        ("fprintf", 0, 7),
        ("fputs", 7, 12),
        ("fputc", 19, 1),
        ("putc", 20, 1),
        ("fscanf", 0, 6),
        ("fgets", 6, 1),
        ("getline", 7, 12),
        ("fgetc", 19, 1),
        ("ungetc", 20, 0),
        ("getc", 19, 1),
        ("fgets", 20, 1),
        ("fgets", 21, 0),
    ]


def test_checked_functions_are_seen(record: Record) -> None:
    (process,) = record("""
        #include <stdarg.h>
        int __fprintf_chk(FILE *, int, const char *, ...);
        size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
        char *__fgets_chk(char *, size_t, int, FILE *);
        int main(void) {
            FILE *f = fopen("a", "w+");
            __fprintf_chk(f, 1, "%s\\n", "twelve chars");
            rewind(f);
            __fread_chk(data, sizeof data, 1, 4, f);
            __fgets_chk(data, sizeof data, 100, f);
            fclose(f);
            return 0;
        }
        """)
    assert calls(process)[1:-1] == [
        ("fprintf", "a", 0, 0, 13),
        ("rewind", "a", 0, 0, 0),
        ("fread", "a", 0, 4, 4),
        ("fgets", "a", 4, 99, 9),
    ]


def test_characters_that_the_compiler_puts_into_the_program_are_counted(record: Record) -> None:
    (process,) = record("""
        FILE *f = fopen("a", "w");
        for (int i = 0; i < 10000; ++i) putc_unlocked('x', f);
        fwrite(data, 1, 3, f);
        fclose(f);
        f = fopen("a", "r");
        int n = 0;
        while (getc_unlocked(f) != EOF) ++n;
        fclose(f);
        return n == 10003 ? 0 : 1;
        """)
    rows = calls(process)
    assert sum(row[4] for row in rows if row[0] == "putc_unlocked") == 10000
    assert sum(row[4] for row in rows if row[0] == "getc_unlocked") == 10003
    assert ("fwrite", "a", 10000, 3, 3) in rows


def test_streams_that_append_write_at_the_end(record: Record) -> None:
    (process,) = record("""
        FILE *f = fopen("a", "w");
        fwrite(data, 1, 100, f);
        fclose(f);
        f = fopen("a", "a");
        fwrite(data, 1, 5, f);
        fwrite(data, 1, 5, f);
        fclose(f);
        f = fopen("a", "a+");
        fread(data, 1, 7, f);
        fseek(f, 0, SEEK_SET);
        fwrite(data, 1, 5, f);
        fclose(f);
        """)
    moved = [(row[0], row[2], row[4]) for row in calls(process) if row[0] in ("fread", "fwrite")]
    assert moved == [
        ("fwrite", 0, 100),
        ("fwrite", 100, 5),
        ("fwrite", 105, 5),
        ("fread", 0, 7),
        ("fwrite", 110, 5),
    ]


def test_a_stream_and_its_descriptor_have_one_position(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        write(fd, data, 10);
        FILE *f = fdopen(fd, "r+");
        fwrite(data, 1, 20, f);
        fflush(f);
        write(fd, data, 3);
        fclose(f);
        fd = open("b", O_RDWR | O_CREAT, 0644);
        write(fd, data, 1);
        dprintf(fd, "%d", 12345);
        write(fd, data, 1);
        """)
    moved = [
        (row[0], row[1], row[2], row[4]) for row in calls(process) if row[0].endswith(("write", "printf"))
    ]
    assert moved == [
        ("write", "a", 0, 10),
        ("fwrite", "a", 10, 20),
        ("write", "a", 30, 3),
        ("write", "b", 0, 1),
        ("vdprintf", "b", 1, 5),
        ("write", "b", 6, 1),
    ]


def test_standard_output_that_is_a_file_is_recorded(record: Record, tmp_path: Path) -> None:
    (process,) = record(
        """
        freopen("out", "w", stdout);
        printf("%s", "hello");
        puts("world");
        putchar('!');
        """,
        options=AS_WRITTEN,
    )
    moved = [(row[0], row[1], row[2], row[4]) for row in calls(process)]
    assert moved[1:] == [("printf", "out", 0, 5), ("puts", "out", 5, 6), ("putchar", "out", 11, 1)]
    assert (tmp_path / "store" / "out").read_text() == "helloworld\n!"


def test_failures_and_temporary_files(record: Record, tmp_path: Path) -> None:
    (process,) = record(
        """
        if (fopen("nowhere/a", "r") != NULL) return 1;
        FILE *f = fopen("a", "w");
        if (fread(data, 1, 10, f) != 0 || errno != EBADF) return 2;
        fclose(f);
        f = tmpfile();
        fwrite(data, 1, 10, f);
        """,
        env={"TMPDIR": str(tmp_path), "WEIR_TRACE_EXCLUDE": "/proc/"},
    )
    rows = calls(process)
    assert rows[0][:2] == ("fopen", "a") and rows[0][4] == -2
    assert ("fread", "a", 0, 10, -9) in rows
    assert rows[-1][0] == "fwrite" and rows[-1][4] == 10
