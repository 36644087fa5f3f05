"""The score of a match with its 95 % interval in Elo."""

import math


def elo(score):
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def summary(wins, draws, losses):
    games = wins + draws + losses
    mean = (wins + draws / 2) / games
    spread = math.sqrt(max(wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + losses * mean**2, 1e-9)) / games
    low, high = elo(mean - 1.96 * spread), elo(mean + 1.96 * spread)
    return f"+{wins} ={draws} -{losses}  {100 * mean:.1f} %  {elo(mean):+.0f} Elo [{low:+.0f}, {high:+.0f}]"
