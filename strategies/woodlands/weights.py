"""The weights by which strategies judge, by the names under which a scenario may set them."""

from hardmode.sim.names import Named


class Weight(Named):
    HEART = "heart"  # what a heart is worth
    ORB = "orb"  # an orb
    LOOT = "loot"  # a loot card
    REST = "rest"  # at so few hearts a hero goes to the campfire
    READY = "ready"  # chance against the boss from which the party goes in
    HOME = "home"  # how much tiles are laid near the first one
    RISK = "risk"  # pull towards risky moves
    UNLOCK = "unlock"  # 0 never unlocks a power, 1 those that help in combat, 2 any
    FIGHT = "fight"  # weight of monsters among the goals
    STAGE = "stage"  # tiles left in the stack from which heroes gather at the boss
    FAR = "far"  # what a goal loses for each step
    LAIR = "lair"  # hearts from which a hero enters a lair
    SLIP = "slip"  # how often a beginner does anything at all


_STEADY = dict(zip(Weight.labels(), (1.0, 0.6, 1.6, 1.0, 0.5, 0.2, 0.0, 1.0, 0.6, 6.0, 0.75, 4.0, 0.0), strict=True))

WEIGHTS = {
    "steady": _STEADY,
    "beginner": {**_STEADY, "fight": 2.0, "rest": 1.0, "ready": 0.0, "stage": 30.0, "unlock": 2.0, "slip": 0.25},
    "fighter": {**_STEADY, "fight": 2.0, "rest": 1.0, "ready": 0.05, "stage": 30.0, "unlock": 2.0, "heart": 0.5},
    "camper": {**_STEADY, "home": 0.5, "fight": 0.0, "rest": 5.0, "unlock": 0.0, "ready": 0.9, "stage": 3.0},
    "rusher": {**_STEADY, "risk": 2.0, "unlock": 0.0, "ready": 0.2, "stage": 30.0},
}
