import Contract
import Foundation
import JSON
import TestSupport
import Testing
import Tracking

@testable import ExportFiles

/// The parts of the files, from a sequence of items.
struct ExportFileTests {
    private func item(_ text: String) throws -> ExportItem {
        guard case .string(let type)? = try JSONValue.parse(Array(text.utf8))["type"] else {
            preconditionFailure("an item has a type")
        }
        return ExportItem(type: type, payload: Array(text.utf8))
    }

    @Test func `An account has all its lists, including the empty ones`() throws {
        var text = AccountText(at: .init(milliseconds: 0))
        for line in [
            #"{"type":"account","user":"ann"}"#, #"{"type":"group","group":"g1"}"#,
            #"{"type":"state","group":"g1"}"#, #"{"type":"group","group":"g2"}"#,
        ] { text.keep(try item(line)) }
        try text.writeKept()
        for list in ExportList.all where list.isLong {
            text.begin(list)
            guard list.type == "acknowledgement" else {
                text.end(list)
                continue
            }
            for line in [
                #"{"type":"acknowledgement","alert":"x"}"#,
                #"{"type":"acknowledgement","alert":"y"}"#,
            ] { try text.add(try item(line)) }
            text.end(list)
        }
        text.end()
        let account = try JSONValue.parse(text.take())
        #expect(account["account"]?["user"] == .string("ann"))
        #expect(account["usage"] == .null)
        func count(_ key: String) -> Int? {
            if case .array(let elements) = account[key] { elements.count } else { nil }
        }
        #expect(count("groups") == 2)
        #expect(count("states") == 1)
        #expect(count("alerts") == 0)
        #expect(count("acknowledgements") == 2)
        #expect(count("messages") == 0)
        #expect(account["exportedAt"] == .string("1970-01-01T00:00:00.000Z"))
    }

    @Test func `An item without a list is an error rather than omitted`() throws {
        var text = AccountText(at: .init(milliseconds: 0))
        text.keep(try item(#"{"type":"account","user":"ann"}"#))
        text.keep(try item(#"{"type":"new-thing","user":"ann"}"#))
        let error = #expect(throws: UnlistedItem.self) { try text.writeKept() }
        #expect(error?.type == "new-thing")
        let list = try #require(ExportList.of("message"))
        text.begin(list)
        #expect(throws: UnlistedItem.self) { try text.add(try item(#"{"type":"alert"}"#)) }
    }

    @Test func `Reminders become a calendar with their time zones`() throws {
        var calendar = ICalendar(at: .init(milliseconds: 0))
        let long = String(repeating: "long, ", count: 30)
        for line in [
            #"{"reminder":"r1","placeName":"Library; first floor","text":"\#(long)","at":"2026-12-01T17:30","#
                + #""timeZone":"Europe/Ljubljana","rrule":"FREQ=MONTHLY;BYDAY=1TU","when":"time"}"#,
            #"{"reminder":"r2","placeName":"Shop","text":"Milk","at":"2026-12-01T17:30","#
                + #""timeZone":"Europe/Ljubljana","when":"near","radius":50}"#,
        ] { calendar.add(try JSONValue.parse(Array(line.utf8))) }
        let text = calendar.text
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        let whole = text.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
        #expect(whole.contains("DTSTART;TZID=Europe/Ljubljana:20261201T173000"))
        #expect(whole.contains("RRULE:FREQ=MONTHLY;BYDAY=1TU"))
        #expect(whole.contains("LOCATION:Library\\; first floor"))
        #expect(whole.contains { $0.hasPrefix("SUMMARY:long\\, long\\, ") })
        #expect(
            whole.count { $0 == "BEGIN:VEVENT" } == 1 && whole.count { $0 == "BEGIN:VTODO" } == 1)
        let march = try #require(whole.firstIndex(of: "DTSTART:20270328T020000"))
        #expect(whole[march - 1] == "BEGIN:DAYLIGHT")
        #expect(whole[march + 1] == "TZOFFSETFROM:+0100" && whole[march + 2] == "TZOFFSETTO:+0200")
    }

    @Test func `A paged path is joined into one`() throws {
        func page(_ number: Int64, _ time: Int64) throws -> ExportItem.Path {
            let place = try #require(Coordinate(latitude: 46.05, longitude: 14.5))
            let point = Path.Point(coordinate: place, takenAt: .init(milliseconds: time))
            return ExportItem.Path(
                number: number, mode: .sos, startedAt: .noon, endedAt: nil, points: [point])
        }
        var path = PathInPages(user: "ann", name: "Ann")
        #expect(path.add(try page(1, 1000)) == nil)
        #expect(path.add(try page(1, 2000)) == nil)
        let first = try #require(path.add(try page(2, 3000)))
        #expect(first.points.map(\.takenAt.milliseconds) == [1000, 2000])
        #expect(first.name == "Ann")
        #expect(path.end()?.points.count == 1)
        #expect(path.end() == nil)
    }

    @Test func `Overlapping parts are merged, each read once and not early`() async throws {
        // Part 1 is late: its fixes are among those of part 0.
        let parts = [[0, 2, 4, 6], [1, 3, 5], [10, 12]]
        var history = FixHistory(
            parts.enumerated().map { number, seconds in
                HistoryPart(number, earliest: .noon + .seconds(Int64(seconds[0])))
            })
        var (read, times): ([Int], [[Int64]]) = ([], [])
        while let fixes = try await history.next({ number in
            read.append(number)
            return parts[number].map { Fix.taken(Int64($0) * 1000) }
        }) {
            times.append(fixes.map { ($0.takenAt - .noon).milliseconds / 1000 })
            if times.count == 1 { #expect(read == [0]) }
        }
        #expect(Array(times.joined()) == [0, 1, 2, 3, 4, 5, 6, 10, 12])
        #expect(read == [0, 1, 2])
    }

    @Test func `An export beyond the memory bound gives up the order but loses no fix`()
        async throws
    {
        let count = FixHistory<Int>.maximumOpen + 1000
        // Each part begins at the beginning, and has the rest from its end.
        let size = 1000
        var history = FixHistory((0..<count / size).map { HistoryPart($0, earliest: .noon) })
        var (fixes, largest) = (0, 0)
        while let some = try await history.next({ number in
            (0..<size).map { Fix.taken($0 == 0 ? 0 : Int64($0 * 1000 + number)) }
        }) {
            fixes += some.count
            largest = max(largest, some.count)
        }
        #expect(fixes == count)
        #expect(largest <= FixHistory<Int>.maximumOpen + size)
    }
}
