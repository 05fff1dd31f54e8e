"""The look of tools/make-street-map: a style for Mapnik, drawn for daylight."""

WATER, LAND, GREEN, PALE = "#aed4e4", "#f4f1eb", "#cfe5bd", "#eae5dd"
BUILDING, BUILDING_EDGE = "#e0d6ca", "#cdbfae"
MAJOR, MAJOR_EDGE = "#fbdf9d", "#dcae55"
MIDDLE, MIDDLE_EDGE = "#fdf2cd", "#d8c38b"
MINOR, MINOR_EDGE = "#ffffff", "#d6cdc0"
TEXT, QUIET, HALO = "#3f4a48", "#6d675f", "#ffffff"

# Pixels at zooms 12 to 19.
WIDTHS = {
    "major": (1.6, 2.2, 3.2, 4.6, 7, 11, 16, 22),
    "middle": (1.0, 1.5, 2.4, 3.8, 6, 9.5, 14, 20),
    "minor": (0.4, 0.8, 1.4, 2.6, 4.4, 7.5, 12, 18),
    "path": (0, 0, 0, 0.8, 1.1, 1.6, 2.2, 3),
}


def style(folder):
    """The whole map, over the files `folder`/LAYER.json."""
    styles, layers = [], []

    def add(layer, name, rules):
        styles.append(f'<Style name="{name}">{"".join(rules)}</Style>')
        layers.append(
            f'<Layer name="{name}" srs="{SRS}"><StyleName>{name}</StyleName><Datasource>'
            f'<Parameter name="type">geojson</Parameter>'
            f'<Parameter name="file">{folder}/{layer}.json</Parameter></Datasource></Layer>')

    add("land", "land", [rule(fill(LAND))])
    add("pale", "pale", [rule(fill(PALE), 14)])
    add("green", "green", [rule(fill(GREEN))])
    add("water", "water", [rule(fill(WATER))])
    add("pier", "pier", [
        rule(line("#e7e2d9", "3"), 15, 16, "[mapnik::geometry_type]=2"),
        rule(line("#e7e2d9", "5"), 17, 19, "[mapnik::geometry_type]=2"),
        rule(fill("#e7e2d9"), where="[mapnik::geometry_type]=3")])
    add("tunnel", "tunnel", [
        rule(line("#c9bda9", str(width), dash="4,3") + line("#f3ebdc", str(max(0.4, width - 1.6))),
             zoom, zoom)
        for zoom, width in zip(range(14, 20), WIDTHS["minor"][2:])])
    add("building", "building", [
        rule(fill(BUILDING, 0.7), 14, 14),
        rule(fill(BUILDING) + line(BUILDING_EDGE, "0.5"), 15, 15),
        rule(fill(BUILDING) + line(BUILDING_EDGE, "0.8"), 16)])
    add("rail", "rail", [rule(line("#8b8780", "1.4") + line("#ffffff", "0.7", dash="5,5"), 13)])
    add("path", "path", [
        rule(line("#c3ab8e", str(width), dash="3,2" if zoom < 17 else "5,3"), zoom, zoom)
        for zoom, width in zip(range(12, 20), WIDTHS["path"]) if width > 0])
    kinds = (("minor", MINOR, MINOR_EDGE), ("middle", MIDDLE, MIDDLE_EDGE),
             ("major", MAJOR, MAJOR_EDGE))
    for kind, _, edge in kinds:
        add(kind, f"{kind}-edge", [
            rule(line(edge, str(width + (1.2 if zoom < 15 else 1.8))), zoom, zoom)
            for zoom, width in zip(range(12, 20), WIDTHS[kind]) if width > 1.2])
    for kind, colour, edge in kinds:
        add(kind, kind, [
            rule(line(colour if width > 1.2 else edge, str(width)), zoom, zoom)
            for zoom, width in zip(range(12, 20), WIDTHS[kind])])
    add("border", "border", [
        rule(line("#8d6aa8", "5", 0.16) + line("#8d6aa8", "1.1", 0.7, dash="8,3,2,3"), 13)])
    # Names, the most important first: later ones keep away.
    add("place", "place", [
        rule(text("10.5", BOLD, "#4a4358", spread=1.2, case="uppercase"), 14, 14,
             "[kind]='suburb'"),
        rule(text("13", BOLD, "#4a4358", spread=2, case="uppercase"), 15, 17, "[kind]='suburb'"),
        rule(text("17", BOLD, "#2c2738"), 12, 13, "[kind]='town'")])
    add("station", "station", [
        rule(disc("#2d6cb5", 7) + text("10.5", BOLD, "#2d5c9a", dy=9), 15)])
    for kind in ("major", "middle", "minor", "path"):
        first = {"major": 15, "middle": 15, "minor": 16, "path": 17}[kind]
        add(kind, f"{kind}-names", [
            rule(street("9.5"), first, 16), rule(street("10.5"), max(first, 17))])
    add("spot", "spot", [
        rule(disc("#a8703d", 5) + text("9.5", REGULAR, "#86562c", dy=7, wrap=70), 16, 19,
             "[kind]='hotel' or [kind]='museum' or [kind]='attraction' or [kind]='casino' "
             "or [kind]='townhall' or [kind]='hospital' or [kind]='zoo'"),
        rule(disc("#8c7f70", 4) + text("9", REGULAR, QUIET, dy=6, wrap=70), 17)])
    return (f'<?xml version="1.0" encoding="utf-8"?><Map srs="{SRS}" '
            f'background-color="{WATER}">{"".join(styles)}{"".join(layers)}</Map>')


SRS = ("+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m "
       "+nadgrids=@null +wktext +no_defs")
REGULAR, BOLD = "Open Sans Regular", "Open Sans Semibold"


def scale(zoom):
    """Mapnik's scale denominator at a zoom of web maps."""
    return 559082264.028 / 2 ** zoom


def rule(symbols, first=0, last=25, where=None):
    condition = f"<Filter>{where}</Filter>" if where else ""
    return (f"<Rule>{condition}<MaxScaleDenominator>{scale(first) * 1.3:.2f}</MaxScaleDenominator>"
            f"<MinScaleDenominator>{scale(last) * 0.7:.2f}</MinScaleDenominator>{symbols}</Rule>")


def fill(colour, opacity=1):
    return f'<PolygonSymbolizer fill="{colour}" fill-opacity="{opacity}"/>'


def line(colour, width, opacity=1, dash=None):
    dashes = f' stroke-dasharray="{dash}" stroke-linecap="butt"' if dash else \
        ' stroke-linecap="round"'
    return (f'<LineSymbolizer stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" '
            f'stroke-opacity="{opacity}"{dashes}/>')


def text(size, face, colour, dy=0, spread=0, case="none", wrap=90):
    return (f'<TextSymbolizer face-name="{face}" size="{size}" fill="{colour}" '
            f'halo-fill="{HALO}" halo-radius="1.6" placement="point" dy="{dy}" '
            f'character-spacing="{spread}" text-transform="{case}" wrap-width="{wrap}" '
            f'margin="6" avoid-edges="false">[name]</TextSymbolizer>')


def street(size):
    return (f'<TextSymbolizer face-name="{REGULAR}" size="{size}" fill="{TEXT}" '
            f'halo-fill="{HALO}" halo-radius="1.4" placement="line" spacing="340" '
            f'max-char-angle-delta="28" margin="14" repeat-distance="180">[name]</TextSymbolizer>')


def disc(colour, size):
    return (f'<MarkersSymbolizer marker-type="ellipse" width="{size}" height="{size}" '
            f'fill="{colour}" stroke="#ffffff" stroke-width="1" allow-overlap="false" '
            f'ignore-placement="true"/>')
