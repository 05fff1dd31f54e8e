import Contract
import ExportFiles
import JSON
import Synchronization
import TestSupport
import Testing
import Tracking

@testable import Web

/// An archive out of the pages of `account.export`, which are newest first.
struct PagedExportTests {
    /// The data stored about a user, in order of arrival.
    private struct Stored: ExportSource {
        let user: Name = "ann"
        let displayName = "Ann & Co <x>"
        let devices: [Name] = ["phone", "tablet", "watch"]
        var account: [ExportItem] = []
        var paths: [ExportItem.Path] = []
        var fixes: [Name: [Fix]] = [:]

        func eachAccountItem(_ body: (ExportItem) async throws -> Void) async throws {
            for item in account where ExportList.of(item.type)?.isLong != true {
                try await body(item)
            }
        }

        func eachItem(
            of list: ExportList, _ body: (ExportItem) async throws -> Void
        ) async throws {
            for item in account where item.type == list.type { try await body(item) }
        }

        func eachPath(_ body: (ExportItem.Path) async throws -> Void) async throws {
            for path in paths { try await body(path) }
        }

        func history(of device: Name) -> [HistoryPart<Range<Int>>] {
            let fixes = fixes[device] ?? []
            return stride(from: 0, to: fixes.count, by: 1000).map { start in
                let range = start..<min(start + 1000, fixes.count)
                let earliest = fixes[range].map(\.takenAt).min()
                return HistoryPart(range, earliest: earliest ?? .init(milliseconds: 0))
            }
        }

        func fixes(at locator: Range<Int>, of device: Name) -> [Fix] {
            fixes[device].map { Array($0[locator]) } ?? []
        }

        /// The items before the fixes, as the bridge pages them.
        var items: [[UInt8]] {
            var items = account.filter { !["alert", "message"].contains($0.type) }.map(\.payload)
            for path in paths {
                for start in stride(from: 0, to: path.points.count, by: 40) {
                    var page = path
                    page.points = Array(path.points[start..<min(start + 40, path.points.count)])
                    items.append(ExportItem.path(page).payload)
                }
            }
            items += account.filter { ["alert", "message"].contains($0.type) }.map(\.payload)
            return items
        }
    }

    private func stored(_ random: inout SplitMix64) throws -> Stored {
        var stored = Stored()
        let (phone, watch) = (stored.devices[0], stored.devices[2])
        stored.account = [
            .account(
                .init(
                    user: stored.user, name: stored.displayName, firstName: "Ann", lastName: nil,
                    email: nil, ownTracksPublishIsSOS: false, createdAt: time(0),
                    addableBy: .usual)),
            .usage(Usage()),
        ]
        stored.account += stored.devices.map { .device($0, kind: "kith", createdAt: time(0)) }
        stored.account.append(.blocked(phone, at: time(3)))
        let key = try #require(GroupKey(String(repeating: "a", count: 22)))
        for number in (0..<120).reversed() {
            let id = UUIDv7(at: time(number), random: (0, 0))
            stored.account.append(
                .message(
                    ChatMessage(
                        id: id, group: key, kind: .message, at: time(number),
                        from: .init(user: stored.user, name: "Ann"), words: "m\(number)\n")))
        }
        // Across ±180°, with a gap of half an hour, and partly late.
        let ordered = try (0..<9000).map { number in
            try fix(second: number < 4000 ? number : number + 1800, at: Int64(number))
        }
        stored.fixes[phone] =
            ordered[..<3000] + ordered[3500..<7000] + ordered[3000..<3500].reversed()
            + ordered[7000...].shuffled(using: &random)
        stored.fixes[watch] = try (0..<300).map { try fix(second: $0 * 2, at: Int64($0) * -1) }
        stored.paths = try [1, 4].map { number in
            ExportItem.Path(
                number: number, mode: number == 1 ? .journey : .sos, startedAt: time(5),
                endedAt: number == 1 ? time(500) : nil,
                points: try (0..<Int(number) * 30).map {
                    let fix = try fix(second: $0, at: Int64($0))
                    return Path.Point(coordinate: fix.coordinate, takenAt: fix.takenAt)
                })
        }
        return stored
    }

    private func time(_ second: Int) -> Timestamp {
        Timestamp(milliseconds: 1_777_636_800_000 + Int64(second) * 1000)
    }

    /// - Parameter offset: steps towards and over ±180°.
    private func fix(second: Int, at offset: Int64) throws -> Fix {
        let east = 1_799_990_000 + offset * 7
        let place = try #require(
            Coordinate(
                latitudeE7: -337_654_321 + offset,
                longitudeE7: east > 1_800_000_000 ? east - 3_600_000_000 : east))
        return Fix(
            coordinate: place, takenAt: time(second), receivedAt: time(second + 1), accuracy: 3.25,
            altitude: second % 2 == 0 ? 0.00001 : nil, speed: second % 3 == 0 ? 1e-7 : nil,
            sequence: Int64(second))
    }

    private func archive(_ source: some ExportSource) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await ExportArchive(of: source, at: time(0)) { bytes += $0 }.write()
        return bytes
    }

    /// The bridge's side: a cursor names a device and its newest fix on the page, and a device
    /// begins with its newest one.
    private final class Bridge: Sendable {
        private struct State {
            var stored: Stored
            var asked = 0
        }

        private let state: Mutex<State>
        private let length = 97

        init(_ stored: Stored) { state = Mutex(State(stored: stored)) }

        var asked: Int { state.withLock { $0.asked } }

        /// A device sends one more.
        func add(_ fix: Fix, of device: Name) {
            state.withLock { $0.stored.fixes[device, default: []].append(fix) }
        }

        func page(_ fields: JSONValue) -> JSONValue {
            let (items, next) = state.withLock { state in
                state.asked += 1
                return page(of: state.stored, fields.text("cursor") ?? "0")
            }
            let result = JSONWriter.object { json in
                json.key("items")
                json.array(items) { $0.raw($1) }
                json.key("next")
                if let next { json.string(next) } else { json.null() }
            }
            return JSONValue(parsing: result) ?? .null
        }

        private func page(of stored: Stored, _ cursor: String) -> ([[UInt8]], next: String?) {
            let parts = cursor.split(separator: ".").compactMap { Int($0) }
            var items: [[UInt8]] = []
            var (device, fix) = (0, nil as Int?)
            if parts.count == 1 {
                let rest = stored.items.dropFirst(parts[0])
                if rest.count > length {
                    return (Array(rest.prefix(length)), "\(parts[0] + length)")
                }
                items = Array(rest)
            } else {
                (device, fix) = (parts[0], parts[1])
            }
            while device < stored.devices.count {
                let fixes = stored.fixes[stored.devices[device]] ?? []
                var number = fix ?? fixes.count - 1
                while number >= 0, items.count < length {
                    let item = ExportItem.fix(fixes[number], device: stored.devices[device])
                    items.append(item.payload)
                    number -= 1
                }
                if number >= 0 { return (items, "\(device).\(number)") }
                (device, fix) = (device + 1, nil)
            }
            return (items, nil)
        }
    }

    private func paged(_ bridge: Bridge, of user: Name) async throws -> PagedExport {
        let pages = ExportPages { fields in bridge.page(fields) }
        return PagedExport(
            pages, of: user, beginningWith: try await pages.page(at: .null), keeping: 5_000)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `An archive is the same from pages as from the store`(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let stored = try stored(&random)
        let bridge = Bridge(stored)
        let page = try await archive(paged(bridge, of: stored.user))
        // As a truth value: the differences between two archives take minutes to describe.
        let isSame = page == (try await archive(stored))
        #expect(isSame, "seed \(seed)")
        // Of 9,300 fixes, 5,000 are kept.
        #expect(bridge.asked < 96 + 3 * 45 + 10)
    }

    @Test func `Fixes that arrive during an export neither repeat nor hide one`() async throws {
        var random = SplitMix64(seed: 4)
        let stored = try stored(&random)
        let before = try await archive(stored)
        let bridge = Bridge(stored)
        let source = try await paged(bridge, of: stored.user)
        var bytes: [UInt8] = []
        var isAdding = false
        try await ExportArchive(of: source, at: time(0)) { some in
            bytes += some
            // From the time when the fixes' positions are known.
            guard bridge.asked > 94 else { return }
            isAdding = true
            for device in stored.devices {
                bridge.add(try fix(second: 90_000 + bytes.count, at: 0), of: device)
            }
        }.write()
        let isSame = bytes == before
        #expect(isSame && isAdding)
    }
}
