#!/usr/bin/env python3
"""Makes the fonts in this folder. They are committed; run this only to change them.

    npm pack inter-ui@4.1.1 lucide-static@1.62.0     (then unpack each: tar xzf …)
    apt-get download fonts-hack                       (then unpack it: dpkg -x …)
    python3 -m pip install fonttools brotli
    python3 make_fonts.py INTER_FOLDER LUCIDE_FOLDER HACK_TTF

egui has no switch for OpenType features, and Inter's figures are proportional by default, so that a running number
shakes. Its tabular figures (feature `tnum`) are therefore made the default: the character map points at them. Every
font is cut down to the scripts file names are likely to have, the icon font to the icons that src/ui/kit/icons.rs names.
"""

import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

HERE = Path(__file__).resolve().parent
# Latin with its extensions, spacing accents, Greek, Cyrillic, Latin extended additional, punctuation, superscripts,
# currency, letterlike, arrows, mathematical signs, technical keys, boxes, geometric shapes.
RANGES = [
    (0x20, 0x7E), (0xA0, 0x24F), (0x2B0, 0x2FF), (0x370, 0x3FF), (0x400, 0x4FF), (0x1E00, 0x1EFF), (0x2010, 0x205E),
    (0x2070, 0x209C), (0x20A0, 0x20BF), (0x2100, 0x2138), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2303, 0x2327),
    (0x25A0, 0x25FF),
]
# The clipboard that egui shows, and the icon that stands for it.
COPY_SIGN, COPY_ICON = 0x1F4CB, 0xE09E


def bake_tabular_figures(font: TTFont) -> None:
    """Points the character map at the glyphs that the feature `tnum` would put in."""
    gsub = font["GSUB"].table
    lookups = {i for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == "tnum"
               for i in record.Feature.LookupListIndex}
    swaps = {}
    for index in sorted(lookups):
        for table in gsub.LookupList.Lookup[index].SubTable:
            table = getattr(table, "ExtSubTable", table)
            swaps.update(getattr(table, "mapping", {}))
    for table in font["cmap"].tables:
        for code, glyph in list(table.cmap.items()):
            table.cmap[code] = swaps.get(glyph, glyph)


def subset(font: TTFont, codes: list[int], features: list[str], out: str) -> None:
    options = Options(layout_features=features, hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    font.flavor = None
    font.save(HERE / out)
    print(out, (HERE / out).stat().st_size)


def centre_icons(font: TTFont) -> None:
    """Makes the middle of a row the middle of the icons' square; the font says so in some tables and not in others."""
    for name, (advance, _) in font["hmtx"].metrics.items():
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"].metrics[name] = (advance, getattr(font["glyf"][name], "xMin", 0))
    font["hhea"].ascent, font["hhea"].descent, font["hhea"].lineGap = 1000, 0, 0
    font["OS/2"].sTypoAscender, font["OS/2"].sTypoDescender, font["OS/2"].sTypoLineGap = 1000, 0, 0
    font["OS/2"].usWinAscent, font["OS/2"].usWinDescent = 1000, 0


def add_copy_sign(font: TTFont) -> None:
    """Adds the sign of egui's colour picker for copying, which is beyond the characters of the existing tables."""
    table = CmapSubtable.newSubtable(12)
    table.platformID, table.platEncID, table.language = 3, 10, 0
    table.cmap = dict(font.getBestCmap())
    table.cmap[COPY_SIGN] = table.cmap[COPY_ICON]
    font["cmap"].tables.append(table)


def main() -> None:
    inter, lucide, hack = (Path(argument) for argument in sys.argv[1:4])
    text = [code for first, last in RANGES for code in range(first, last + 1)]
    for weight in ("Regular", "Medium", "SemiBold"):
        font = TTFont(inter / "web" / f"Inter-{weight}.woff2")
        bake_tabular_figures(font)
        # Neither ligatures nor contextual alternates: a file name is shown as it is spelt.
        subset(font, text, ["kern", "mark", "mkmk"], f"Inter-{weight}.ttf")
    subset(TTFont(hack), text, [], "Hack-Regular.ttf")
    icons = re.findall(r"\\u\{([0-9a-f]+)\}", (HERE / "../../src/ui/kit/icons.rs").read_text())
    font = TTFont(lucide / "font" / "lucide.ttf")
    centre_icons(font)
    add_copy_sign(font)
    subset(font, [COPY_SIGN, *(int(code, 16) for code in icons)], [], "Lucide.ttf")


main()
