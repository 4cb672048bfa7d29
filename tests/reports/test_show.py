"""What the command line prints of a result."""

import numpy as np

import hardmode
from hardmode.reports import answers, show
from hardmode.studies.results import Results


def test_a_measure_that_was_never_anything_but_0_is_kept_in_the_data_and_not_printed(capsys):
    [result] = hardmode.play("pig/classic", games=50, threads=1)
    show.results([result], [answers.summary(result)])
    assert "│ rolls" in capsys.readouterr().out
    without = Results([result])[0]
    without.tally.counts = without.tally.counts.with_columns(
        value=np.where(without.tally.counts["column"].to_numpy() == "rolls", 0, without.tally.counts["value"]))
    summary = answers.summary(without)
    show.results([without], [summary])
    assert "│ rolls" not in capsys.readouterr().out
    assert summary["measures"]["rolls"]["mean"] == 0 and hardmode.cells([without])["rolls"].to_list() == [0]
