"""The tables of docs/stillness.md: the results of the rules for recorded tracks, compared with the stays found in them.

The recordings are not part of the repository.
"""

import csv
import glob
import gzip
import os
import shutil
import subprocess
import tempfile
import zipfile

# One ride, race or run is in one half only.
TUNED = ["hike-gaps-stops.*", "hills-hr.*", "run-pause-app1.*", "run-pause-watch.*", "ride-1hz-hr-a.*",
         "car-short.*", "trajectory_00[0-2][02468].gpx"]


def main(kith_dev=".build/release/kith-dev", recordings="../shared/data"):
    with tempfile.TemporaryDirectory() as work:
        for kind in ("gpx", "tcx"):
            for path in glob.glob(f"{recordings}/*.{kind}"):
                if "planned-route" not in path:  # No one travelled it.
                    shutil.copy(path, work)
            for path in glob.glob(f"{recordings}/*.{kind}.gz"):
                with gzip.open(path) as packed, open(f"{work}/{os.path.basename(path)[:-3]}", "wb") as file:
                    shutil.copyfileobj(packed, file)
        for path in glob.glob(f"{recordings}/onfoot-driving-*.zip"):
            zipfile.ZipFile(path).extractall(work)
        for path in glob.glob(f"{work}/trajectory_*.csv"):
            convert(path)
        tuned = sorted(path for pattern in TUNED for path in glob.glob(f"{work}/{pattern}"))
        others = [path for kind in ("gpx", "tcx") for path in sorted(glob.glob(f"{work}/*.{kind}"))
                  if path not in tuned]
        for title, tracks in [("On which the rules were tuned", tuned), ("The others", others)]:
            print(("\n" if tracks is others else "") + f"## {title}\n", flush=True)
            subprocess.run([kith_dev, "bench", "tracks", *tracks], check=True)


def convert(path):
    """Metres about an unknown origin: put at 0 N 0 E."""
    with open(path) as table, open(f"{path[:-4]}.gpx", "w") as file:
        file.write("<gpx><trk><trkseg>\n")
        for moment, x, y, *_ in list(csv.reader(table))[1:]:
            file.write(f'<trkpt lat="{float(y) / 110574.27:.8f}" lon="{float(x) / 111319.49:.8f}">'
                       f"<time>{moment.replace(' ', 'T')[:23]}Z</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
