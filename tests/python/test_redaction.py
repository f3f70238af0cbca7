from weir.redaction import Redactor


def test_equal_names_stay_equal_within_one_output_only() -> None:
    one, other = Redactor(), Redactor()
    assert one.word("thesis") == one.word("thesis") != one.word("draft")
    assert one.word("thesis") != other.word("thesis"), "else names could be tried"


def test_folders_stay_folders() -> None:
    redactor = Redactor(key=b"k")
    one, other = (redactor.path(f"/home/ann/{name}") for name in ("a.h5", "b.h5"))
    assert one.rpartition("/")[0] == other.rpartition("/")[0] and one != other
    assert one.startswith("/") and one.count("/") == 3 and "ann" not in one
    assert redactor.path("../x").startswith("../") and redactor.path("") == ""


def test_paths_and_known_names_in_texts_are_replaced_and_nothing_else() -> None:
    redactor = Redactor(["n1"])
    said = redactor.text("cannot write '/scratch/ann/data' on n1 at 12 MB/s (No space left on device), n12")
    assert "/scratch" not in said and "/ann" not in said and " n1 " not in said
    assert said.startswith("cannot write '/") and said.endswith(" at 12 MB/s (No space left on device), n12")


def test_all_texts_in_data_are_looked_at() -> None:
    data = {
        "command": ["weir", "run", "secret.toml", "--out=/home/ann/x"],
        "machine": {"host": "n1", "file_system": {"source": "10.0.0.1@tcp:/fs", "type": "lustre"}},
        "options": [{"dir": "/scratch/ann", "block": 5, "share": None}],
    }
    redacted = Redactor().tree(data)
    text = repr(redacted)
    for name in ("secret", "ann", "n1'", "10.0.0.1", "scratch", "weir"):
        assert name not in text
    assert redacted["options"][0]["block"] == 5 and redacted["machine"]["file_system"]["type"] == "lustre"
    assert len(redacted["command"]) == 4
