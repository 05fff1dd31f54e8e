internal import Contract
internal import Tracking

extension ExportArchive {
    /// A FeatureCollection (RFC 7946) with a Feature for each path.
    func writePathsGeoJSON() async throws {
        try await put("{\"type\":\"FeatureCollection\",\"features\":")
        var list = List()
        try await eachWholePath { path in
            try await put(list.separator())
            try await put(path.geoJSON)
        }
        try await put(list.end + "}\n")
    }

    /// One track per path.
    func writePathsGPX() async throws {
        var gpx = GPXWriter()
        gpx.begin()
        try await eachWholePath { path in
            gpx.track(path)
            try await put(gpx.takeBytes())
        }
        gpx.end()
        try await put(gpx.takeBytes())
    }

    /// Calls `body` with one whole path after the other; the length of a path is bounded.
    private func eachWholePath(_ body: (PathDocument) async throws -> Void) async throws {
        var pages = PathInPages(user: source.user, name: source.displayName)
        try await source.eachPath { page in
            if let whole = pages.add(page) { try await body(whole) }
        }
        if let last = pages.end() { try await body(last) }
    }
}

/// A path whose pages arrive one after the other.
struct PathInPages {
    private let user: Name
    private let name: String
    private var path: ExportItem.Path?

    init(user: Name, name: String) {
        self.user = user
        self.name = name
    }

    /// - Returns: the previous path, if this page begins another one.
    mutating func add(_ page: ExportItem.Path) -> PathDocument? {
        if path?.number == page.number {
            path?.points += page.points
            return nil
        }
        defer { path = page }
        return end()
    }

    mutating func end() -> PathDocument? {
        defer { path = nil }
        return path.map {
            PathDocument(
                user: user, name: name, mode: $0.mode, startedAt: $0.startedAt, points: $0.points)
        }
    }
}
