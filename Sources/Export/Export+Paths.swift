internal import Contract
internal import Store
internal import Tracking

extension Export {
    /// A FeatureCollection (RFC 7946) with a Feature for each path.
    func writePathsGeoJSON(_ entry: inout Entry) throws(ExportError) {
        try entry.put("{\"type\":\"FeatureCollection\",\"features\":")
        var list = List()
        try eachPath { path throws(ExportError) in try list.add(path.geoJSON, to: &entry) }
        try list.end(&entry)
        try entry.put("}\n")
    }

    /// Writes one track per path.
    func writePathsGPX(_ entry: inout Entry) throws(ExportError) {
        var gpx = GPXWriter()
        gpx.begin()
        try eachPath { path throws(ExportError) in
            gpx.track(path)
            try entry.put(gpx.takeBytes())
        }
        gpx.end()
        try entry.put(gpx.takeBytes())
    }

    /// Calls `body` with one whole path after the other; the length of a path is bounded.
    private func eachPath(
        _ body: (PathDocument) throws(ExportError) -> Void
    ) throws(ExportError) {
        let user = person.user
        var number: Int64 = 0
        while true {
            let found = try reader.read { transaction throws(StoreError) in
                try transaction.path(of: user.id, from: number).map {
                    row throws(StoreError) in
                    let points = try transaction.pathPoints(
                        row.path.number, of: user.id, after: nil, atMost: .max)
                    return (row.path, points.map(\.point))
                }
            }
            guard let (path, points) = found else { return }
            try body(
                PathDocument(
                    user: user.name, name: user.displayName, mode: path.mode,
                    startedAt: path.startedAt, points: points))
            number = path.number + 1
        }
    }
}
