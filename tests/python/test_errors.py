from weir.errors import ExitCode, WeirError, worst


def test_a_message_is_problem_why_suggestion() -> None:
    assert str(WeirError("it broke", "too old", "mend it")) == "it broke (too old). Mend it"
    assert str(WeirError("it broke")) == "it broke"
    assert str(WeirError("it broke", suggestion="mend it")) == "it broke. Mend it"
    assert str(WeirError("is it broken?", suggestion="mend it")) == "is it broken? Mend it"


def test_errors_are_usage_errors_unless_said_otherwise() -> None:
    assert WeirError("x").as_data() == {"problem": "x", "reason": "", "suggestion": "", "exit_code": 2}


def test_the_exit_codes_are_those_promised() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "FINE": 0,
        "THRESHOLD": 1,
        "USAGE": 2,
        "CASE_FAILED": 3,
        "WRONG_DATA": 4,
        "INCONCLUSIVE": 5,
        "NOTHING_SELECTED": 6,
        "INTERNAL": 70,
        "INTERRUPTED": 130,
    }


def test_the_worst_of_several_codes_is_the_greatest() -> None:
    assert worst([]) == 0
    assert worst([3, 4, 3]) == 4
