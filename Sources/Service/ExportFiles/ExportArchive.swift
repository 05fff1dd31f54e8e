public import Archive
internal import Contract
public import Tracking

/// Everything stored about a person, as a ZIP file. Whatever its size, only a small part of it is
/// in memory at a time.
///
/// The only place that knows the files: `kith export` and the page supply the items.
public final class ExportArchive<Source: ExportSource> {
    /// Receives the bytes of the file, in order. If it throws, the writing ends.
    public typealias Sink = ([UInt8]) async throws -> Void

    let source: Source
    let now: Timestamp
    private let zip: ZIPWriter
    private let sink: Sink
    private let output: Output
    /// The data put into the current file, until it is worth compressing.
    private var piece: [UInt8] = []
    /// The reminders that came with the account.
    var reminders: ICalendar

    /// The data that the ZIP writer has written and the sink has not received yet.
    private final class Output {
        var bytes: [UInt8] = []
    }

    /// - Parameter now: when the export is made.
    public init(of source: Source, at now: Timestamp, to sink: @escaping Sink)
        throws(ArchiveError)
    {
        let output = Output()
        self.source = source
        self.now = now
        reminders = ICalendar(at: now)
        self.sink = sink
        self.output = output
        zip = try ZIPWriter { bytes throws(ArchiveError) in output.bytes += bytes }
    }

    /// - Throws: an error of the source or the sink, or ``ArchiveError``. The data written by then
    ///   is not a valid ZIP file.
    public func write() async throws {
        try await file("README.txt") { try await put(ExportReadMe.text) }
        try await file("account.json", writeAccount)
        try await file("reminders.ics") { try await put(reminders.text) }
        try await file("fixes.json", writeFixesJSON)
        try await file("fixes.geojson", writeFixesGeoJSON)
        try await file("fixes.gpx", writeFixesGPX)
        try await file("paths.geojson", writePathsGeoJSON)
        try await file("paths.gpx", writePathsGPX)
        try zip.finish()
        try await send()
    }

    private func file(_ name: String, _ body: () async throws -> Void) async throws {
        try zip.beginEntry(name, at: now)
        try await body()
        try await flush()
    }

    func put(_ text: String) async throws { try await put(Array(text.utf8)) }

    func put(_ bytes: [UInt8]) async throws {
        piece += bytes
        if piece.count >= exportPieceSize { try await flush() }
    }

    private func flush() async throws {
        try zip.write(piece)
        piece.removeAll(keepingCapacity: true)
        try await send()
    }

    private func send() async throws {
        guard !output.bytes.isEmpty else { return }
        let bytes = output.bytes
        output.bytes = []
        try await sink(bytes)
    }
}

/// Large enough to compress well; in bytes.
private let exportPieceSize = 65_536

/// A JSON array with one element per line.
struct List {
    private var isEmpty = true

    /// Returns the text before the next element.
    mutating func separator() -> String {
        defer { isEmpty = false }
        return isEmpty ? "[\n" : ",\n"
    }

    var end: String { isEmpty ? "[]" : "\n]" }
}
