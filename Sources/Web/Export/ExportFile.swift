internal import Archive
internal import Contract
internal import Hummingbird
internal import HummingbirdCore
internal import Tracking

/// The ZIP file of everything stored about a user, with the same files that `kith export` makes.
/// Only a small part of it is in memory at a time. The page has no place to store the data, so it
/// is requested anew for each file that needs it.
final class ExportFile {
    let pages: ExportPages
    let now: Timestamp
    private let zip: ZIPWriter
    private let output: Output
    private var writer: any ResponseBodyWriter
    /// The cursors at which the paths and the fixes begin; nil if there are none.
    private var paths: JSONValue?
    private var fixes: JSONValue?

    /// What the archive has written and has not been sent yet.
    private final class Output {
        var bytes: [UInt8] = []
    }

    init(_ pages: ExportPages, at now: Timestamp, to writer: any ResponseBodyWriter)
        throws(ArchiveError)
    {
        let output = Output()
        self.pages = pages
        self.now = now
        self.output = output
        self.writer = writer
        zip = try ZIPWriter { bytes throws(ArchiveError) in output.bytes += bytes }
    }

    /// - Parameter first: the first page, which was requested to find out whether the export is
    ///   allowed.
    func write(beginningWith first: ExportPages.Page) async throws {
        try begin("README.txt")
        try await put(ExportFile.readMe)
        try await writeAccount(first)
        try await writePaths()
        try await writeFixes()
        try zip.finish()
        try await flush()
        try await writer.finish(nil)
    }

    private func begin(_ name: String) throws { try zip.beginEntry(name, at: now) }
    private func put(_ text: String) async throws { try await put(Array(text.utf8)) }

    private func put(_ bytes: [UInt8]) async throws {
        try zip.write(bytes)
        try await flush()
    }

    private func flush() async throws {
        guard !output.bytes.isEmpty else { return }
        let bytes = output.bytes
        output.bytes = []
        try await writer.write(ByteBuffer(bytes: bytes))
    }

    // MARK: account.json

    private func writeAccount(_ first: ExportPages.Page) async throws {
        try begin("account.json")
        var account = AccountText(at: now)
        var page = first
        while true {
            for item in page.items {
                switch item.type {
                case "path": paths = paths ?? page.cursor
                case "fix": fixes = fixes ?? page.cursor
                default: account.add(item)
                }
            }
            try await put(account.take())
            // Fixes come last and are the most numerous.
            guard fixes == nil, page.next != .null else { break }
            page = try await pages.page(at: page.next)
        }
        account.end()
        try await put(account.take())
    }

    // MARK: Paths and fixes

    private func writePaths() async throws {
        try begin("paths.geojson")
        var features = FeatureText()
        try await eachPath {
            features.add($0.geoJSON); try await put(features.take())
        }
        features.end()
        try await put(features.take())

        try begin("paths.gpx")
        var gpx = GPXWriter()
        gpx.begin()
        try await eachPath {
            gpx.track($0); try await put(gpx.takeBytes())
        }
        gpx.end()
        try await put(gpx.takeBytes())
    }

    /// Calls `body` with one whole path after the other; the length of a path is bounded.
    private func eachPath(_ body: (PathDocument) async throws -> Void) async throws {
        var path = PathInParts()
        try await eachItem(from: paths, "path") { item in
            if let whole = path.add(item, of: pages.user) { try await body(whole) }
        }
        if let last = path.end(of: pages.user) { try await body(last) }
    }

    private func writeFixes() async throws {
        try begin("fixes.json")
        var list = FixText()
        var begun: [JSONValue] = []
        try await eachItem(from: fixes, "fix", noting: { begun.append($0) }) {
            list.add($0); try await put(list.take())
        }
        list.end()
        try await put(list.take())

        try begin("fixes.geojson")
        var features = FeatureText()
        try await eachItem(from: fixes, "fix") { item in
            features.add(fix: item)
            try await put(features.take())
        }
        features.end()
        try await put(features.take())

        // A track runs forward in time, but the newest fixes come first: read the pages from the
        // last one.
        try begin("fixes.gpx")
        var tracks = FixTracks()
        for cursor in begun.reversed() {
            let page = try await pages.page(at: cursor)
            for item in page.items.reversed() where item.type == "fix" { tracks.add(item) }
            try await put(tracks.take())
        }
        tracks.end()
        try await put(tracks.take())
    }

    /// - Parameters:
    ///   - cursor: nil if there are no items.
    ///   - note: called with the cursor of each page.
    private func eachItem(
        from cursor: JSONValue?, _ type: String, noting note: (JSONValue) -> Void = { _ in },
        _ body: (JSONValue) async throws -> Void
    ) async throws {
        guard var cursor else { return }
        while true {
            note(cursor)
            let page = try await pages.page(at: cursor)
            for item in page.items where item.type == type { try await body(item) }
            let isOver = page.items.contains { $0.type == "fix" } && type != "fix"
            guard page.next != .null, !isOver else { return }
            cursor = page.next
        }
    }

    private static let readMe = """
        What Kith stores about you.

        account.json    your account, how much you used it on the day counted last, devices
                        and groups, what each group sees of you, your friends, whom you have
                        blocked, alerts about you, alerts that you have acknowledged, and what
                        you wrote in the chats of your groups
        fixes.json      every position that your devices sent, by device, the newest first
        fixes.geojson   the same for maps (GeoJSON, RFC 7946)
        fixes.gpx       the same for navigation programs (GPX 1.1), a track for each device, in
                        the order of time, with a segment for each time without a gap
        paths.geojson   the ways of your journeys and calls for help
        paths.gpx       the same

        Times are in UTC. Places are WGS 84: degrees, and metres above the ellipsoid. Passwords
        and tokens are not here: they are not stored, only a check of them is.

        """
}
