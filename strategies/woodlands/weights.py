"""The weights by which strategies judge, by the names under which a scenario may set them."""

from hardmode.sim.names import Named


class Weight(Named):
    HEART = "heart"  # what a heart is worth
    ORB = "orb"  # an orb
    LOOT = "loot"  # a loot card
    REST = "rest"  # at so few hearts a hero goes to the campfire
    READY = "ready"  # chance against the boss from which the party goes in
    HOME = "home"  # how much tiles are laid near the first one
    FIGHT = "fight"  # weight of monsters among the goals
    STAGE = "stage"  # tiles left in the stack from which heroes gather at the boss
    FAR = "far"  # what a goal loses for each step
    LAIR = "lair"  # hearts from which a hero enters a lair
    RISK = "risk"  # pull towards risky moves
    UNLOCK = "unlock"  # 0 never unlocks a power, 1 those that help in combat, 2 any
    SLIP = "slip"  # how often a beginner does anything at all


class Plan(Named):
    """The planner's weights; the first ten mean what they mean to the others, and stand in the same places."""

    HEART = "heart"
    ORB = "orb"
    LOOT = "loot"
    REST = "rest"
    READY = "ready"
    HOME = "home"
    FIGHT = "fight"
    STAGE = "stage"
    FAR = "far"
    LAIR = "lair"
    ORB_FADE = "orb_fade"  # what each orb that a hero has takes off the worth of another one
    FOCUS = "focus"  # what an orb is worth for which a die is needed, in orbs
    FULL = "full"  # what a chest is worth to a hero who can hold no more, in chests
    MERCHANT = "merchant"  # a card that can be bought
    FALL = "fall"  # what it costs to be downed
    POISON = "poison"  # hearts that poison costs
    COMPANY = "company"  # what it is worth to stand with another hero
    CAMP = "camp"  # the pull of the campfire for each heart that is missing
    CAMP_LATE = "camp_late"  # what is added to it when the stack is as good as gone
    CAMP_FROM = "camp_from"  # tiles left in the stack from which that is so
    HEAL_FIRST = "heal_first"  # with so few hearts a hero goes to the campfire before it goes to the boss
    FIGHT_ORBS = "fight_orbs"  # orbs that may be spent on a monster
    BOSS_WIN = "boss_win"  # what it is worth to beat the boss, for the dice of the turn
    BOSS_REACH = "boss_reach"  # and to come nearer to it
    BOSS_HOPE = "boss_hope"  # chance from which orbs are spent on the boss
    ALONE = "alone"  # chance from which a hero faces the boss alone
    PATIENCE = "patience"  # spaces left on the threat track from which it waits for nobody
    SECOND = "second"  # by how much another hero must promise more, as the second one in, to be left the last blow
    HOLD = "hold"  # chance against a guard of the boss from which cards are kept for the boss
    SPARE_MOVE = "spare_move"  # a step to spare
    TRANSPORT = "transport"  # Klethor's first special action
    STANCE = "stance"  # his second one
    UNLOCK_1_XYLIA = "unlock_1_xylia"  # orbs that must be left when the first power is unlocked
    UNLOCK_1_KLETHOR = "unlock_1_klethor"
    UNLOCK_1_SHAVI = "unlock_1_shavi"
    UNLOCK_1_BETHRAS = "unlock_1_bethras"
    UNLOCK_2_XYLIA = "unlock_2_xylia"  # and the second one
    UNLOCK_2_KLETHOR = "unlock_2_klethor"
    UNLOCK_2_SHAVI = "unlock_2_shavi"
    UNLOCK_2_BETHRAS = "unlock_2_bethras"
    HEAL_AT = "heal_at"  # hearts at which Sha'Vi pays an orb for one more
    HEAL_KEEP = "heal_keep"  # orbs that she keeps
    BUY = "buy"  # what a card must be worth to be bought
    JOINED = "joined"  # ways that a new tile joins
    NEAR_CHEST = "near_chest"  # how much a tile is laid near the heroes for a chest on it
    NEAR_MONSTER = "near_monster"  # for a monster
    NEAR_FIRE = "near_fire"  # the campfire
    NEAR_BOSS = "near_boss"  # the boss
    NEAR_OTHER = "near_other"  # the well and the merchant
    NEAR_BRAMBLE = "near_bramble"  # for brambles


_STEADY = dict(zip(Weight.labels(), (1.0, 0.6, 1.6, 1.0, 0.5, 0.2, 0.6, 6.0, 0.75, 4.0, 0.0, 1.0, 0.0), strict=True))
_PLANNER = dict(zip(Plan.labels(), (
    1.0, 0.6, 2.0, 1.0, 0.5, 0.1, 1.1, 6.0, 0.65, 4.0,
    0.03, 0.8, 1.0, 0.8, 2.0, 1.5, 0.1, 0.25, 0.25, 6.0, 2.5, 4.0, 20.0, 6.0, 0.02, 0.15, 4.0, 0.5, 0.5, -0.1, 0.3, 0.5,
    6.0, 1.0, 1.0, 5.0, 2.0, 1.0, 3.0, 0.0, 3.0, 2.0, 5.0,
    0.3, 0.3, 0.2, 0.3, 0.3, 0.5, 0.0), strict=True))

WEIGHTS = {
    "steady": _STEADY,
    "planner": _PLANNER,
    "beginner": {**_STEADY, "fight": 2.0, "rest": 1.0, "ready": 0.0, "stage": 30.0, "unlock": 2.0, "slip": 0.25},
    "casual": {**_STEADY, "slip": 0.1},
    "fighter": {**_STEADY, "fight": 2.0, "rest": 1.0, "ready": 0.05, "stage": 30.0, "unlock": 2.0, "heart": 0.5},
    "camper": {**_STEADY, "home": 0.5, "fight": 0.0, "rest": 5.0, "unlock": 0.0, "ready": 0.9, "stage": 3.0},
    "rusher": {**_STEADY, "risk": 2.0, "unlock": 0.0, "ready": 0.2, "stage": 30.0},
}
_RESERVES = {name: {"low": 0, "high": 8, "scale": 3} for name in Plan.labels() if name.startswith("unlock")}
RANGES = {"planner": {
    **_RESERVES, "far": (0.3, 1.0), "camp_from": {"low": 0, "high": 22, "scale": 5}, "heal_first": (0, 5),
    "fight_orbs": (0, 10), "rest": {"low": 0, "high": 5, "scale": 2}, "ready": (0, 1), "alone": (0, 1), "hold": (0, 1),
}}
