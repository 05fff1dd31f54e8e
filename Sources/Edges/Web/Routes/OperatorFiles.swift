internal import Contract
internal import Foundation
internal import HTTPTypes
internal import MapTiles
internal import Synchronization

/// The map and the operator's texts. The page runs without unreadable ones. It retries them when
/// they are requested, at most once per ``pause``, and on another thread: a disk may hang.
final class OperatorFiles: Sendable {
    private struct State {
        var map: TileFile?
        var texts: [String: PageFile] = [:]
        var faults: [PageFault] = []
        var triedAt: ContinuousClock.Instant?
        var isReading = false
    }

    /// Whether a map is configured.
    let hasMap: Bool
    private let path: String?
    private let files: [(address: String, file: String)]
    private let state = Mutex(State())

    private static let pause = Duration.seconds(5)

    init(_ settings: WebSettings) {
        path = settings.map
        hasMap = path != nil
        files = OperatorFiles.texts(of: settings)
        read()
    }

    /// The addresses of the operator's texts, with their files.
    static func texts(of settings: WebSettings) -> [(address: String, file: String)] {
        [("/terms", settings.terms?.terms), ("/privacy", settings.terms?.privacy)]
            .compactMap { address, file in file.map { (address, $0) } }
    }

    /// Nil if there is none, or it cannot be read.
    var map: TileFile? { current.map }

    /// The unreadable files.
    var faults: [PageFault] { current.faults }

    /// The same as concerns, without duplicates.
    var concerns: Set<Concern> { Set(faults.map(\.concern)) }

    func hasText(at address: String) -> Bool { files.contains { $0.address == address } }

    /// - Returns: nil if there is no text at the address.
    /// - Throws: a refusal if there is one that cannot be read.
    func text(at address: String) throws(Refusal) -> PageFile? {
        guard hasText(at: address) else { return nil }
        guard let text = current.texts[address] else {
            throw Refusal(
                .serviceUnavailable,
                "The operator's text cannot be read at the moment. The operator can see why.",
                retryAfter: OperatorFiles.pause)
        }
        return text
    }

    private var current: State {
        let (current, isDue) = state.withLock { state in
            let isDue =
                !state.faults.isEmpty && !state.isReading
                && state.triedAt.map({ .now - $0 >= OperatorFiles.pause }) ?? true
            if isDue { state.isReading = true }
            return (state, isDue)
        }
        if isDue { Task.detached { [self] in read() } }
        return current
    }

    /// Reads the missing files; those already read stay as they are.
    private func read() {
        var new = state.withLock { $0 }
        (new.faults, new.isReading) = ([], false)
        if let path, new.map == nil {
            do throws(TileFileError) {
                new.map = try TileFile(path: path)
            } catch {
                new.faults.append(.map(path, reason: error.description))
            }
        }
        for (address, file) in files where new.texts[address] == nil {
            if let data = FileManager.default.contents(atPath: file) {
                let isHTML = (file as NSString).pathExtension == "html"
                new.texts[address] = PageFile(data, type: Pages.type(isHTML ? "html" : "txt"))
            } else {
                new.faults.append(.text(file))
            }
        }
        new.triedAt = .now
        state.withLock { $0 = new }
    }
}
