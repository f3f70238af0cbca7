"""Streams of stdio: what the program asks of them, since the C library does the rest past all wrappers."""

from pathlib import Path

import pytest

from ..programs import AS_WRITTEN, Record, assert_told, calls

PROGRAMS = {
    "blocks and positions": """
        FILE *f = fopen("a", "w+");     //= fopen a -1
        fwrite(data, 10, 7, f);         //= fwrite a 0 70 70
        fwrite(data, 1, 5, f);          //= fwrite a 70 5 5
        fseek(f, 20, SEEK_SET);         //= fseek a 20 0 0
        fread(data, 4, 3, f);           //= fread a 20 12 12
        fread(data, 10, 100, f);        //= fread a 32 1000 43
        rewind(f);                      //= rewind a 0 0 0
        fread(data, 1, 1, f);           //= fread a 0 1 1
        fflush(f);                      //= fflush a 1 0 0
        fclose(f);                      //= fclose a -1 0 0
        """,
    "characters, lines and formats": """
        //? fopen //? fclose
        char line[100], *got = NULL; size_t room = 0; int n, m;
        FILE *f = fopen("a", "w");
        fprintf(f, "%d %d\\n", 12, 345);    //= fprintf a 0 * 7
        fputs("second line\\n", f);         //= fputs a 7 * 12
        fputc('x', f);                      //= fputc a 19 * 1
        putc('\\n', f);                     //= putc a 20 * 1
        fclose(f);
        f = fopen("a", "r");
        fscanf(f, "%d %d", &n, &m);         //= fscanf a 0 * 6
        fgets(line, 100, f);                //= fgets a 6 * 1
        getline(&got, &room, f);            //= getline a 7 * 12
        ungetc(fgetc(f), f);                //= fgetc a 19 * 1; ungetc a 20 * 0
        getc(f);                            //= getc a 19 * 1
        fgets(line, 100, f);                //= fgets a 20 * 1
        fgets(line, 100, f);                //= fgets a 21 * 0
        fclose(f);
        return n == 12 && m == 345 ? 0 : 1;
        """,
    "checked functions": """
        #include <stdarg.h>
        int __fprintf_chk(FILE *, int, const char *, ...);
        size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
        char *__fgets_chk(char *, size_t, int, FILE *);
        main:
        FILE *f = fopen("a", "w+");                     //= fopen
        __fprintf_chk(f, 1, "%s\\n", "twelve chars");   //= fprintf a 0 0 13
        rewind(f);                                      //= rewind a 0 0 0
        __fread_chk(data, sizeof data, 1, 4, f);        //= fread a 0 4 4
        __fgets_chk(data, sizeof data, 100, f);         //= fgets a 4 99 9
        fclose(f);                                      //= fclose
        """,
    "streams that append write at the end": """
        //? fopen //? fclose //? fseek
        FILE *f = fopen("a", "w");
        fwrite(data, 1, 100, f);        //= fwrite a 0 100 100
        fclose(f);
        f = fopen("a", "a");
        fwrite(data, 1, 5, f);          //= fwrite a 100 5 5
        fwrite(data, 1, 5, f);          //= fwrite a 105 5 5
        fclose(f);
        f = fopen("a", "a+");
        fread(data, 1, 7, f);           //= fread a 0 7 7
        fseek(f, 0, SEEK_SET);
        fwrite(data, 1, 5, f);          //= fwrite a 110 5 5
        fclose(f);
        """,
    "a stream and its descriptor have one position": """
        int fd = open("a", O_RDWR | O_CREAT, 0644);     //= open
        write(fd, data, 10);                            //= write a 0 10 10
        FILE *f = fdopen(fd, "r+");                     //= fdopen
        fwrite(data, 1, 20, f);                         //= fwrite a 10 20 20
        fflush(f);                                      //= fflush
        write(fd, data, 3);                             //= write a 30 3 3
        fclose(f);                                      //= fclose
        fd = open("b", O_RDWR | O_CREAT, 0644);         //= open
        write(fd, data, 1);                             //= write b 0 1 1
        dprintf(fd, "%d", 12345);                       //= vdprintf b 1 * 5
        write(fd, data, 1);                             //= write b 6 1 1
        """,
    "failures and temporary files": """
        if (fopen("nowhere/a", "r") != NULL) return 1;                  //= fopen a * * -2
        FILE *f = fopen("a", "w");                                      //= fopen
        if (fread(data, 1, 10, f) != 0 || errno != EBADF) return 2;     //= fread a 0 10 -9
        fclose(f);                                                      //= fclose
        f = tmpfile();                                                  //= tmpfile
        fwrite(data, 1, 10, f);                                         //= fwrite * * * 10
        """,
}


@pytest.mark.parametrize("which", PROGRAMS)
def test_calls(record: Record, tmp_path: Path, which: str) -> None:
    env = {"TMPDIR": str(tmp_path), "WEIR_TRACE_EXCLUDE": "/proc/"}
    (process,) = record(PROGRAMS[which], env, options=AS_WRITTEN)
    assert_told(PROGRAMS[which], calls(process))


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


def test_standard_output_that_is_a_file_is_recorded(record: Record, tmp_path: Path) -> None:
    program = """
        freopen("out", "w", stdout);    //= freopen
        printf("%s", "hello");          //= printf out 0 * 5
        puts("world");                  //= puts out 5 * 6
        putchar('!');                   //= putchar out 11 * 1
        """
    (process,) = record(program, options=AS_WRITTEN)
    assert_told(program, calls(process))
    assert (tmp_path / "store" / "out").read_text() == "helloworld\n!"
