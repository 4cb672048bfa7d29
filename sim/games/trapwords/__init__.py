"""Trapwords: two teams talk their way past unseen trap words to the monster, before the monster comes to them."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.contract import Content, Game, Source
from hardmode.sim.games.trapwords.box import fill
from hardmode.sim.games.trapwords.decisions import options, take
from hardmode.sim.games.trapwords.labels import LABELS, label
from hardmode.sim.games.trapwords.measures import MEASURES, outcome
from hardmode.sim.games.trapwords.pieces import fates
from hardmode.sim.games.trapwords.records import Box, Hidden, Own, Table
from hardmode.sim.games.trapwords.redeal import redeal, redeal_for
from hardmode.sim.games.trapwords.setup import setup

GAME = Game(
    name="trapwords", title="Trapwords", version=4, seats=2,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, redeal_for=redeal_for,
    outcome=outcome, fill=fill, label=label, labels=LABELS, fates=fates,
    max_options=n.FAIL + 1, max_decisions=4 * n.MOST_ROUNDS, max_rounds=n.MOST_ROUNDS,
    endings=n.Ending.labels(), kinds=n.Kind.labels(),
    sources=tuple(Source(source.label, n.ADDRESSES.get(source, ("", "", ""))) for source in n.Source),
    measures=MEASURES, words=f"{__name__}.words", competitive=True,
    # `own` stands in the box, `none` does not
    content={"curse": Content(n.CURSES), "monster": Content(n.MONSTERS - 1, ("setup.monster",))},
    limits=(
        "the words themselves are not played: a word, its clue-giver and its trap list are drawn from a model of "
        "what people think of",
        "clues and guesses are judged by the model, not by language: derivatives, compounds and invalid clues are "
        "hazards",
        "eight of the ten curse cards and four of the five monsters have effects that are assumed in part",
    ),
)
