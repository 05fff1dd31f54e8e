import Contract
import Testing
import Tracking

@testable import Web

/// The files of an export, from the items as the bridge tells them.
struct ExportTextTests {
    private func item(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    private func parsed(_ text: String) throws -> JSONValue { try item(text) }

    @Test func `An account has all its lists, also the empty ones`() throws {
        var text = AccountText(at: .init(milliseconds: 0))
        for line in [
            #"{"type":"account","user":"ann"}"#, #"{"type":"group","group":"g1"}"#,
            #"{"type":"state","group":"g1"}"#, #"{"type":"group","group":"g2"}"#,
            #"{"type":"acknowledgement","alert":"x"}"#, #"{"type":"acknowledgement","alert":"y"}"#,
        ] { text.add(try item(line)) }
        text.end()
        let account = try parsed(text.take())
        #expect(account["account"]?["user"] == .string("ann"))
        #expect(account["groups"]?.elements.count == 2)
        #expect(account["states"]?.elements.count == 1)
        #expect(account["alerts"]?.elements.isEmpty == true)
        #expect(account["acknowledgements"]?.elements.count == 2)
        #expect(account["messages"]?.elements.isEmpty == true)
        #expect(account["exportedAt"] == .string("1970-01-01T00:00:00.000Z"))
    }

    @Test func `Nothing is a file as well`() throws {
        var account = AccountText(at: .init(milliseconds: 0))
        account.end()
        #expect(try parsed(account.take())["messages"] == .array([]))
        var fixes = FixText()
        fixes.end()
        #expect(try parsed(fixes.take()) == .array([]))
    }

    @Test func `Fixes are told by device`() throws {
        let fix = #"{"latitude":46.05,"longitude":14.5,"timestamp":"2026-11-21T10:00:00.000Z"}"#
        var fixes = FixText()
        var features = FeatureText()
        var tracks = FixTracks()
        for device in ["phone", "phone", "watch"] {
            let item = try item(#"{"type":"fix","device":"\#(device)","fix":\#(fix)}"#)
            fixes.add(item)
            features.add(fix: item)
            tracks.add(item)
        }
        fixes.end()
        features.end()
        tracks.end()
        let list = try parsed(fixes.take())
        #expect(list.elements.map { $0["fixes"]?.elements.count } == [2, 1])
        let collection = try JSONValue.parse(features.take())
        let feature = try #require(collection["features"]?.elements.last)
        #expect(feature["geometry"]?["coordinates"] == .array([.number(14.5), .number(46.05)]))
        #expect(feature["properties"]?["device"] == .string("watch"))
        let gpx = String(decoding: tracks.take(), as: UTF8.self)
        #expect(gpx.split(separator: "<trk>").count == 3)
    }

    @Test func `A track goes forward, whenever its fixes came`() throws {
        var tracks = FixTracks()
        for (device, seconds) in [
            ("phone", 10), ("phone", 12), ("phone", 11), ("phone", 3000), ("watch", 5),
        ] {
            let time = Timestamp(milliseconds: Int64(seconds) * 1000).rfc3339
            tracks.add(
                try item(
                    """
                    {"type":"fix","device":"\(device)",\
                    "fix":{"latitude":46,"longitude":14.5,"timestamp":"\(time)"}}
                    """))
        }
        tracks.end()
        let text = String(decoding: tracks.take(), as: UTF8.self)
        let times = text.split(separator: "<time>").dropFirst().map { $0.prefix(19).suffix(8) }
        #expect(times == ["00:00:10", "00:00:11", "00:00:12", "00:50:00", "00:00:05"])
        #expect(text.split(separator: "<trkseg>").count == 4)
    }

    @Test func `A path in parts is one path`() throws {
        func part(_ number: Int, _ time: Int) throws -> JSONValue {
            try item(
                """
                {"type":"path","number":\(number),"mode":"sos",
                "startedAt":"2026-11-21T10:00:00.000Z","points":[[14.5,46.05,\(time)]]}
                """)
        }
        let ann = try #require(Name("ann"))
        var path = PathInParts()
        #expect(path.add(try part(1, 1000), of: ann) == nil)
        #expect(path.add(try part(1, 2000), of: ann) == nil)
        let first = try #require(path.add(try part(2, 3000), of: ann))
        #expect(first.points.map(\.takenAt.milliseconds) == [1000, 2000])
        #expect(path.end(of: ann)?.points.count == 1)
        #expect(path.end(of: ann) == nil)
    }
}
