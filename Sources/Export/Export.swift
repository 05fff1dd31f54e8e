public import Archive
public import Contract
public import Store
public import Tracking

/// Everything stored about a person, as a ZIP file. Whatever its size, only a small part of it is
/// in memory at a time.
public struct Export {
    let reader: Reader
    let person: Person
    let rules: Rules
    /// When the export is made.
    let now: Timestamp

    /// Looks up the person and the extent of their data.
    ///
    /// - Parameter store: may belong to another process, and be opened for reading only.
    public init(of name: Name, in store: Store, _ rules: Rules, at now: Timestamp)
        throws(ExportError)
    {
        let user: UserRow?
        do throws(StoreError) {
            user = try store.transaction { transaction throws(StoreError) in
                try transaction.user(name)
            }
        } catch {
            throw .store(error)
        }
        guard let user else { throw .unknownUser }
        reader = Reader(store: store, user: user)
        person = try Person(reader, rules)
        self.rules = rules
        self.now = now
    }

    /// - Parameter sink: receives the bytes of the file, in order.
    public func write(to sink: @escaping ZIPWriter.Sink) throws(ExportError) {
        let zip: ZIPWriter
        do throws(ArchiveError) { zip = try ZIPWriter(sink) } catch { throw .archive(error) }
        try write("README.txt", to: zip) { entry throws(ExportError) in
            try entry.put(Export.readMe)
        }
        try write("account.json", to: zip, writeAccount)
        try write("fixes.json", to: zip, writeFixesJSON)
        try write("fixes.geojson", to: zip, writeFixesGeoJSON)
        try write("fixes.gpx", to: zip, writeFixesGPX)
        try write("paths.geojson", to: zip, writePathsGeoJSON)
        try write("paths.gpx", to: zip, writePathsGPX)
        do throws(ArchiveError) { try zip.finish() } catch { throw .archive(error) }
    }

    private func write(
        _ name: String, to zip: ZIPWriter, _ body: (inout Entry) throws(ExportError) -> Void
    ) throws(ExportError) {
        do throws(ArchiveError) {
            try zip.beginEntry(name, at: now)
        } catch {
            throw .archive(error)
        }
        var entry = Entry(zip)
        try body(&entry)
        try entry.flush()
    }

    private static let readMe = """
        What Kith stores about you.

        account.json    your account, how much you used it on the day counted last, devices
                        and groups, what each group sees of you, your friends, whom you have
                        blocked, alerts about you, alerts that you have acknowledged, and what
                        you wrote in the chats of your groups
        fixes.json      every position that your devices sent, by device, in the order of time
        fixes.geojson   the same for maps (GeoJSON, RFC 7946)
        fixes.gpx       the same for navigation programs (GPX 1.1), a track for each device
        paths.geojson   the ways of your journeys and calls for help
        paths.gpx       the same

        Times are in UTC. Places are WGS 84: degrees, and metres above the ellipsoid. Passwords
        and tokens are not here: they are not stored, only a check of them is.

        """
}

/// A file in the archive, written in pieces large enough to compress well.
struct Entry {
    private let zip: ZIPWriter
    private var buffer: [UInt8] = []

    init(_ zip: ZIPWriter) { self.zip = zip }

    mutating func put(_ text: String) throws(ExportError) { try put(Array(text.utf8)) }

    mutating func put(_ bytes: [UInt8]) throws(ExportError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Entry.pieceSize { try flush() }
    }

    mutating func flush() throws(ExportError) {
        do throws(ArchiveError) {
            try zip.write(buffer)
        } catch {
            throw .archive(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static let pieceSize = 65_536
}
