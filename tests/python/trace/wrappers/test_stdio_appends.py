"""Streams that append: a record has the offset at which its bytes landed in the file."""

import random
from pathlib import Path

import pytest

from weir.trace.process import Process

from ..programs import AS_WRITTEN, Record, assert_told, calls, lacking, weir

PROGRAMS = {
    "another descriptor has made the file longer": """
        //? fopen //? open //? fclose
        FILE *f = fopen("a", "a");
        int fd = open("a", O_RDWR);
        fwrite(data, 1, 8, f);          //= fwrite a 0 8 8
        fflush(f);                      //= fflush a 8 0 0
        ftruncate(fd, 19973);           //= ftruncate
        fwrite(data, 1, 8, f);          //= fwrite a 19973 8 8
        fputc('x', f);                  //= fputc a 19981 1 1
        fclose(f);
        """,
    "another descriptor writes before the flush": """
        //? fopen //? open //? fclose
        FILE *f = fopen("a", "a");
        int fd = open("a", O_RDWR | O_APPEND);
        fwrite(data, 1, 8, f);          //= fwrite a 50 8 8
        fputs("xyz", f);                //= fputs a 58 3 3
        write(fd, data, 50);            //= write a 0 50 50
        fflush(f);                      //= fflush a 61 0 0
        fputc('x', f);                  //= fputc a 71 1 1
        write(fd, data, 10);            //= write a 61 10 10
        fclose(f);
        """,
    "a write flushes what came before it": """
        //? fopen //? open //? fclose //? setvbuf
        FILE *f = fopen("a", "a");
        int fd = open("a", O_RDWR | O_APPEND);
        setvbuf(f, NULL, _IOFBF, 4096);
        fwrite(data, 1, 4000, f);       //= fwrite a 7 4000 4000
        write(fd, data, 7);             //= write a 0 7 7
        fwrite(data, 1, 200, f);        //= fwrite a 4007 200 200
        fwrite(data, 1, 9000, f);       //= fwrite a 4207 9000 9000
        fclose(f);
        """,
    "a read after a write has moved what there was": """
        //? fopen //? open //? fclose
        char line[10];
        FILE *f = fopen("a", "a+");
        fwrite(data, 1, 8, f);          //= fwrite a 5000 8 8
        int fd = open("a", O_RDWR);
        ftruncate(fd, 5000);            //= ftruncate
        fread(data, 1, 13, f);          //= fread a 5008 13 0
        fwrite(data, 1, 8, f);          //= fwrite a 6000 8 8
        ftruncate(fd, 6000);            //= ftruncate
        fgetc(f);                       //= fgetc a 6008 1 0
        fputs("abc\\n", f);             //= fputs a 7000 4 4
        ftruncate(fd, 7000);            //= ftruncate
        fgets(line, 10, f);             //= fgets a 7004 9 0
        ungetc('x', f);                 //= ungetc a 7004 0 *
        """,
}


@pytest.mark.parametrize("which", PROGRAMS)
def test_calls(record: Record, which: str) -> None:
    (process,) = record(PROGRAMS[which], options=AS_WRITTEN)
    assert_told(PROGRAMS[which], calls(process))


def test_a_parent_and_its_child_append_in_turn(record: Record, tmp_path: Path) -> None:
    processes = record("""
        FILE *f = fopen("log", "a");
        fputs("parent1\\n", f); fflush(f);
        if (!fork()) {
            FILE *g = fopen("log", "a");
            fputs("a child writes this longer line\\n", g);
            fclose(g);
            _exit(0);
        }
        wait(0);
        fputs("parent2\\n", f); fflush(f);
        fputs("parent3\\n", f);
        fclose(f);
        """)
    assert sorted(row for process in processes for row in written(process)) == [
        (0, 8),
        (8, 32),
        (40, 8),
        (48, 8),
    ]
    assert (tmp_path / "store" / "log").stat().st_size == 56


def test_appends_that_cannot_be_placed_make_the_trace_inexact(record: Record, tmp_path: Path) -> None:
    """The records of the first ones have left the thread's memory when their bytes land."""
    (process,) = record(
        """
        FILE *f = fopen("a", "a");
        int fd = open("a", O_RDWR | O_APPEND);
        static char buffer[1 << 20];
        setvbuf(f, buffer, _IOFBF, sizeof buffer);
        for (int i = 0; i < 200000; ++i) fputc('x', f);
        write(fd, data, 5);
        fclose(f);
        """,
        options=AS_WRITTEN,
    )
    assert process.facts["misplaced_appends"] == 1
    done = weir("pattern", tmp_path / "trace", "-o", tmp_path / "p.json", status=0)
    assert "appended landed at other offsets than recorded" in done.stdout + done.stderr
    assert lacking(tmp_path / "trace")["misplaced"].count == 1


@pytest.mark.parametrize("end", ["return 0;", "exit(0);"])
def test_what_the_end_of_a_program_flushes_is_where_it_lands(
    record: Record, tmp_path: Path, end: str
) -> None:
    processes = record(
        """
        FILE *f = fopen("log", "a"), *g = fopen("log", "a");
        fputs("first", f);
        fputs("second", g);
        system("printf child >> log");
        """
        + end,
        options=AS_WRITTEN,
    )
    content = (tmp_path / "store" / "log").read_bytes().decode()
    assert content.startswith("child") and len(content) == len("childfirstsecond")
    assert written(processes[0]) == [(content.index(text), len(text)) for text in ("first", "second")]
    assert "misplaced_appends" not in processes[0].facts


STEPS = {
    "write": "fwrite(text('{c}', {n}), 1, {n}, f[{s}]);",
    "put": "fputs(text('{c}', {n}), f[{s}]);",
    "print": "fprintf(f[{s}], \"%s\", text('{c}', {n}));",
    "character": "fputc('{c}', f[{s}]);",
    "descriptor": "write(fd, text('{c}', {n}), {n});",
    "flush": "fflush(f[{s}]);",
    "seek": "fseek(f[{s}], {n}, SEEK_SET);",
    "tell": "ftell(f[{s}]);",
    "read": "fseek(f[{s}], {n}, SEEK_SET); fread(data, 1, {n}, f[{s}]); fseek(f[{s}], 0, SEEK_CUR);",
    "reopen": 'fclose(f[{s}]); f[{s}] = fopen("a", "a+");',
    "other buffer": 'fclose(f[{s}]); f[{s}] = fopen("a", "a+"); setvbuf(f[{s}], NULL, {m}, 4096);',
}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize("seed", range(24))
def test_the_file_holds_what_the_records_say(record: Record, tmp_path: Path, seed: int) -> None:
    """Each write is of a letter of its own: where it lies in the file its record must be. One that the C
    library makes in two parts, between which others write, has no one place, and the trace says so."""
    chance = random.Random(seed)
    steps, sent = [], []
    for letter in LETTERS:
        for _ in range(2):
            kind = chance.choice(list(STEPS))
            size = chance.choice([1, 2, 7, 80, 500, 1000, 4095, 4096, 4097, 9000])
            mode = chance.choice(["_IOFBF", "_IOLBF", "_IONBF"])
            step = STEPS[kind].format(c=letter, n=size, s=0, m=mode)
            steps.append(step)
            if "'" in step:
                sent.append(letter)
                break
    processes = record(
        """
        static char letters[10000];
        static char *text(char c, int n) { memset(letters, c, n); letters[n] = 0; return letters; }
        main:
        int fd = open("a", O_RDWR | O_APPEND | O_CREAT, 0644);
        FILE *f[1] = {fopen("a", "a+")};
        """
        + "\n".join(steps)
        + ("\nfclose(f[0]);" if seed % 2 else ""),
        options=AS_WRITTEN,
    )
    content = (tmp_path / "store" / "a").read_bytes().decode()
    rows = written(processes[0])
    assert len(rows) == len(sent)
    for letter, (offset, moved) in zip(sent, rows, strict=True):
        assert content.count(letter) == moved
        assert offset == content.index(letter)
    whole = all(letter * moved in content for letter, (_, moved) in zip(sent, rows, strict=True))
    assert whole == ("misplaced_appends" not in processes[0].facts)


def written(process: Process) -> list[tuple[int, int]]:
    """Offset and bytes of its writes."""
    names = ("fwrite", "fputs", "fprintf", "fputc", "putc_unlocked", "write")
    return [(row[2], row[4]) for row in calls(process) if row[0] in names]
