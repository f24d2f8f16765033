"""What a manager sees before a swap is published."""

from wavegraph.graph.approval import Terms
from wavegraph.tools.roster.advice.records import SwapAdvice
from wavegraph.tools.roster.advice.rosters import KnownRoster
from wavegraph.tools.roster.told import as_json, moved_cell, told
from wavegraph.tools.roster.versions.decisions import version_told
from wavegraph.tools.roster.ward.names import called


def swap_terms(of: KnownRoster, found: SwapAdvice) -> Terms:
    names = called(of.ward)
    worse = [
        told("worse_off", nurse=names[each.nurse], before=each.score_before, now=each.score)
        if not each.because
        else told(
            "worse_off_because", nurse=names[each.nurse], before=each.score_before, now=each.score, because=each.because
        )
        for each in found.worse_off
    ]
    details = {
        "roster_id": of.roster_id,
        "ward": of.ward.name,
        "start": of.ward.start.isoformat(),
        "days": of.ward.days,
        "version": version_told(of.version).model_dump(mode="json") if of.version else "",
        "cells": as_json([moved_cell(names[each.nurse], each.day, each.before, each.now) for each in found.cells]),
        "cost": found.cost,
        "fairness": found.fairness,
        "compensatory": as_json([each.line(names) for each in found.compensatory]),
        "worse_off": as_json(worse),
    }
    return {"details": details, "valid_until": None}
