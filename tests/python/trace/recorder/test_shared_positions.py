"""Files whose position a child moves: the parent's next request is where the system puts it."""

import pytest

from ..programs import Record, writes

BODY = """
if (argc > 1) return write(3, data, 7) != 7;
int fd = open("a", O_RDWR | O_CREAT, 0644), status = 0;
if (fd != 3) return 1;
write(fd, data, 10);
char *const arguments[] = {argv[0], "child", NULL};
pid_t child = 0;
char command[4200];
snprintf(command, sizeof command, "%s child", argv[0]);
WAY
if (child > 0) waitpid(child, &status, 0);
if (status != 0) return 3;
write(fd, data, 20);
return lseek(fd, 0, SEEK_CUR) != 37;
"""

WAYS = {
    "fork": "child = fork(); if (child == 0) { write(fd, data, 7); _exit(0); }",
    "_Fork": "child = _Fork(); if (child == 0) { write(fd, data, 7); _exit(0); }",
    "vfork": "child = vfork(); if (child == 0) { execv(argv[0], arguments); _exit(1); }",
    "posix_spawn": "if (posix_spawn(&child, argv[0], NULL, NULL, arguments, environ)) return 2;",
    "posix_spawnp": "if (posix_spawnp(&child, argv[0], NULL, NULL, arguments, environ)) return 2;",
    "system": "status = system(command);",
    "popen": 'status = pclose(popen(command, "w"));',
}


@pytest.mark.parametrize("way", WAYS)
def test_offsets_go_on_where_a_child_has_left_them(record: Record, way: str) -> None:
    processes = record(BODY.replace("WAY", WAYS[way]))
    assert sorted(row for process in processes for row in writes(process)) == [(0, 10), (10, 7), (17, 20)]
    if way == "fork":
        parent, child = sorted(processes, key=lambda process: process.facts["how"] != "start")
        assert (child.facts["how"], child.facts["parent"]) == ("fork", parent.facts["process"])
