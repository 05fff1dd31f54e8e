internal import Foundation
internal import Numbers

/// The memory and processor time that the broker, the bridge and the page have used so far.
struct Resources: Sendable {
    private let broker: Usage
    private let bridge: Usage
    private let page: Usage
    private let files: [(name: String, bytes: Int)]
    private let log: Int
    private let at = ContinuousClock.now

    /// The memory that no process may exceed beside any nuisance, in bytes.
    static let mostMemory = 320_000_000

    private static let paths = [
        ("database", "kith.db"), ("WAL", "kith.db-wal"), ("broker", "broker/mosquitto.db"),
    ]

    init(_ site: BenchSite) {
        broker = Usage.of(site.broker)
        bridge = Usage.of(site.bridge)
        page = Usage.of(site.page)
        files = Resources.paths.map { ($0, Resources.size("\(site.directory)/\($1)")) }
        log = site.log.bytes
    }

    /// Processor time, in percent of a core.
    func shares(since before: Resources) -> String {
        let seconds = (at - before.at).seconds
        return [
            (before.broker, broker), (before.bridge, bridge), (before.page, page),
        ].map { "\(Int(clamping: (($1.cpu - $0.cpu) / seconds * 100).rounded()))".column(10) }
            .joined()
    }

    /// Changes of memory with its peak, and of sizes, in megabytes.
    func changes(since before: Resources) -> String {
        let memory = [
            ("broker", before.broker, broker), ("bridge", before.bridge, bridge),
            ("page", before.page, page),
        ].map { name, before, now in
            "\(name) \(change(before.memory, now.memory)) (peak \(megabytes(now.peakMemory))"
                + (now.peakMemory > Resources.mostMemory ? ", TOO MUCH)" : ")")
        }.joined(separator: ", ")
        let disk = zip(before.files, files)
            .map { "\($1.name) \(change($0.bytes, $1.bytes))" }.joined(separator: ", ")
        return "\(memory) MB; on disk \(disk) MB; log \(megabytes(log - before.log)) MB"
    }

    private func change(_ before: Int, _ after: Int) -> String {
        "\(megabytes(before)) → \(megabytes(after))"
    }

    private func megabytes(_ bytes: Int) -> String {
        let value = Double(bytes) / 1e6
        return value >= 10 ? "\(Int(clamping: value.rounded()))" : "\((value * 10).rounded() / 10)"
    }

    private static func size(_ path: String) -> Int {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.size] as? NSNumber)?.intValue ?? 0
        } catch {
            return 0  // The file does not exist yet.
        }
    }
}
