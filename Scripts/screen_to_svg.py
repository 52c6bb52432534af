#!/usr/bin/env python3
"""Draws a terminal's screen as SVG: tmux capture-pane -e -p | Scripts/screen_to_svg.py > screen.svg

Reads text with the escape sequences for looks and nothing else. Each run of one look is placed at its
column, so that the picture keeps its columns whatever font shows it.
"""

import sys
import unicodedata
from html import escape

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.4, 18, 14, 16
BACKGROUND, FOREGROUND = "#1d2027", "#d6d9e0"
# The sixteen colours: black, red, green, yellow, blue, magenta, cyan, white, and the bright ones.
COLORS = [
    "#3b4048", "#e2757d", "#98c379", "#e0b26b", "#6cb0f0", "#c882dd", "#5fbac4", "#c3c7cf",
    "#5a616c", "#f08a92", "#aed690", "#f0c680", "#85c1f7", "#d79be8", "#78ccd6", "#ffffff",
]


def columns(character):
    """Columns that a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def changed(look, parameters):
    """The look after an escape sequence for looks."""
    look = dict(look)
    codes = [int(code or 0) for code in parameters.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            look = {}
        elif code in (1, 2, 3, 4, 7, 9):
            look[code] = True
        elif code == 22:
            look.pop(1, None), look.pop(2, None)
        elif code in (23, 24, 27, 29):
            look.pop(code - 20, None)
        elif 30 <= code <= 37:
            look["color"] = COLORS[code - 30]
        elif 90 <= code <= 97:
            look["color"] = COLORS[code - 90 + 8]
        elif code == 39:
            look.pop("color", None)
        elif code == 38 and codes[:1] == [5]:
            index = codes[1]
            del codes[:2]
            if index < 16:
                look["color"] = COLORS[index]
    return look


def runs(line, look):
    """The runs of a line (first column, text, look), its width, and the look it leaves."""
    column, found, index = 0, [], 0
    while index < len(line):
        if line[index] == "\x1b" and line[index + 1 : index + 2] == "[":
            end = index + 2
            while end < len(line) and not "@" <= line[end] <= "~":
                end += 1
            if line[end : end + 1] == "m":
                look = changed(look, line[index + 2 : end])
            index = end + 1
            continue
        width = columns(line[index])
        # A wide character is a run of its own: fonts do not agree on two columns.
        joins = found and found[-1][2] == look and width < 2 and not found[-1][3]
        if joins:
            found[-1][1] += line[index]
        else:
            found.append([column, line[index], look, width == 2])
        column += width
        index += 1
    return [run[:3] for run in found], column, look


def main():
    lines = sys.stdin.read().replace("\x0e", "").replace("\x0f", "").rstrip("\n").split("\n")
    rows, look = [], {}
    for line in lines:
        row, width, look = runs(line, look)
        rows.append((row, width))
    widest = max([40] + [width for _, width in rows])
    width = round(widest * CELL_WIDTH + 2 * MARGIN)
    height = len(rows) * CELL_HEIGHT + 2 * MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="ui-monospace, Menlo, Consolas, '
        f"'DejaVu Sans Mono', monospace\" font-size=\"{FONT_SIZE}\">"
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    for number, (row, _) in enumerate(rows):
        baseline = MARGIN + number * CELL_HEIGHT + FONT_SIZE
        for column, text, look in row:
            if not text.strip():
                continue
            attributes = f'x="{MARGIN + column * CELL_WIDTH:.1f}" y="{baseline}"'
            attributes += f' fill="{look.get("color", FOREGROUND)}"'
            attributes += ' font-weight="bold"' if 1 in look else ""
            attributes += ' opacity="0.6"' if 2 in look else ""
            attributes += ' font-style="italic"' if 3 in look else ""
            lines_drawn = [name for code, name in ((4, "underline"), (9, "line-through")) if code in look]
            if lines_drawn:
                attributes += f' text-decoration="{" ".join(lines_drawn)}"'
            length = sum(columns(character) for character in text)
            if length > 1:
                attributes += f' textLength="{length * CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            print(f'<text {attributes} xml:space="preserve">{escape(text)}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
