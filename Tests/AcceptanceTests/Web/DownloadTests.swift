import Foundation
import GRDB
import TestSupport
import Testing

/// `GET /api/export.zip`: everything stored about a user, fetched page by page.
@Suite(.timeLimit(.minutes(3)))
struct DownloadTests {
    /// The contents of the archive's files, as read by Python's libraries.
    private func contents(_ archive: String) async throws -> JSON {
        let script = """
            import json, sys, zipfile
            import xml.etree.ElementTree as xml
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            def points(name):
                space = "{http://www.topografix.com/GPX/1/1}"
                return len(list(xml.fromstring(archive.read(name)).iter(space + "trkpt")))
            def tracks(name):
                space = "{http://www.topografix.com/GPX/1/1}"
                return [[time.text for time in track.iter(space + "time")]
                    for track in xml.fromstring(archive.read(name)).iter(space + "trk")]
            fixes = json.loads(archive.read("fixes.json"))
            print(json.dumps({
                "names": sorted(archive.namelist()),
                "account": json.loads(archive.read("account.json")),
                "devices": {each["device"]: len(each["fixes"]) for each in fixes},
                "features": len(json.loads(archive.read("fixes.geojson"))["features"]),
                "points": points("fixes.gpx"),
                "paths": [len(each["properties"]["times"])
                    for each in json.loads(archive.read("paths.geojson"))["features"]],
                "pathPoints": points("paths.gpx"),
                "isForward": all(times == sorted(times) for times in tracks("fixes.gpx")),
            }))
            """
        return JSON(parsing: try await Program.succeed("python3", ["-c", script, archive]))
    }

    private func download(_ site: Site, _ token: String, _ file: String) async throws {
        try await Program.succeed(
            "curl",
            [
                "-sf", "--max-time", "60", "-o", file, "-H", "Authorization: Bearer \(token)",
                site.address + "/api/export.zip",
            ])
    }

    @Test func `All stored data is in one file`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let phone = try await installation.token("ann")
            let watch = try await installation.token("ann", "watch")
            _ = try await site.ask(phone, "sos.trigger")
            let now = Int(Date().timeIntervalSince1970 * 1000)
            // More than a page of fixes, and of the path.
            for (token, count) in [(phone, 900), (watch, 250)] {
                let fixes = (1...count).map {
                    """
                    {"latitude":\(46 + Double($0) / 100_000),"longitude":14.5,"accuracy":5,\
                    "seq":\($0),"timestamp":\(now + $0 * 50)}
                    """
                }
                for part in stride(from: 0, to: count, by: 300) {
                    let piece = fixes[part..<min(part + 300, count)].joined(separator: ",")
                    let answer = try await site.ask(token, "fix", "[\(piece)]")
                    try #require(answer.status == 200, "\(answer)")
                }
            }
            for text in ["one", "<two>", "\\\"three\\\""] {
                _ = try await site.ask(
                    phone, "chat.send", #"{"group":"\#(group)","text":"\#(text)"}"#)
            }
            let file = installation.directory + "/ann.zip"
            try await download(site, phone, file)
            let found = try await contents(file)
            #expect(
                found["names"] == [
                    "README.txt", "account.json", "fixes.geojson", "fixes.gpx", "fixes.json",
                    "paths.geojson", "paths.gpx", "reminders.ics",
                ])
            #expect(found["devices"] == .object(["phone": .number(900), "watch": .number(250)]))
            #expect(found["features"] == .number(1150) && found["points"] == .number(1150))
            let length = try await installation.database().read {
                try Double.fetchOne($0, sql: "SELECT count(*) FROM path_points")
            }
            #expect(found["paths"] == .array([.number(try #require(length))]))
            #expect(found["isForward"] == true)
            #expect(found["pathPoints"].number == length)
            let account = found["account"]
            #expect(account["account"]["user"] == "ann")
            #expect(account["devices"].elements.count == 2)
            #expect(account["groups"].elements.count == 1)
            #expect(account["alerts"].elements.count == 1)
            let texts = account["messages"].elements.map { $0["message"]["text"].text }
            #expect(Set(texts) == ["one", "<two>", "\"three\""])
        }
    }

    /// Compares two archives file by file; `account.json` without what may differ: when it
    /// was made, and what reading it cost.
    private static let comparison = """
        import json, sys, zipfile
        import xml.etree.ElementTree as xml
        from datetime import datetime
        space = "{http://www.topografix.com/GPX/1/1}"
        page, command = (zipfile.ZipFile(name) for name in sys.argv[1:])
        assert page.namelist() == command.namelist(), page.namelist()
        for name in page.namelist():
            texts = [archive.read(name) for archive in (page, command)]
            if name == "account.json":
                texts = [json.loads(text) for text in texts]
                for text in texts:
                    del text["exportedAt"], text["usage"]["answers"], text["usage"]["answerBytes"]
            assert texts[0] == texts[1], (name, texts)
            if not name.endswith(".gpx"): continue
            for segment in xml.fromstring(texts[0]).iter(space + "trkseg"):
                points = [
                    (datetime.fromisoformat(point.find(space + "time").text[:-1]),
                        float(point.get("lon")))
                    for point in segment.iter(space + "trkpt")]
                for (before, west), (after, east) in zip(points, points[1:]):
                    assert 0 <= (after - before).total_seconds() <= 900, name
                    assert abs(west - east) < 180, name
        print(len(page.namelist()), page.read("fixes.gpx").count(b"<trkseg>"))
        """

    @Test func `The page and the command make the same files`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let phone = try await installation.token("ann")
            let watch = try await installation.token("ann", "watch")
            _ = try await installation.token("ann", "tablet")
            let ben = try await installation.token("ben")
            let now = Int(Date().timeIntervalSince1970 * 1000)
            /// Positions on the way over ±180°, this many seconds before now.
            func send(_ token: String, _ ages: [Int]) async throws {
                let fixes = ages.map { age in
                    let east = 179.999 + Double(3600 - age) / 1_000_000
                    let longitude = east > 180 ? east - 360 : east
                    return """
                        {"latitude":\(-17 + Double(age) / 10_000_000),"longitude":\(longitude),\
                        "timestamp":\(now - age * 1000),"accuracy":0.00001,\
                        "altitude":\(Double(age) / 8)}
                        """
                }
                let answer = try await site.ask(
                    token, "fix", "[\(fixes.joined(separator: ","))]")
                try #require(answer.status == 202, "\(answer)")
            }
            _ = try await site.ask(phone, "sos.trigger")
            // In the order of a phone that was offline for a while: a gap, and then
            // older ones.
            try await send(phone, stride(from: 3600, to: 3000, by: -2).map { $0 })
            try await send(phone, stride(from: 600, to: 300, by: -1).map { $0 })
            try await send(phone, stride(from: 2999, to: 2500, by: -1).map { $0 })
            try await send(watch, [40, 30, 20, 10])
            for index in 0..<60 {
                _ = try await site.ask(
                    phone, "chat.send", #"{"group":"\#(group)","text":"<\#(index)> \\"&\\u0007"}"#)
            }
            let alerts = try await site.ask(ben, "alert.list", #"{"group":"\#(group)"}"#)
            for alert in alerts.json["alerts"].elements {
                let id = try #require(alert["id"].text)
                for token in [ben, phone] {
                    _ = try await site.ask(token, "alert.acknowledge", #"{"alert":"\#(id)"}"#)
                }
            }
            _ = try await site.ask(ben, "friend.add", #"{"user":"ann"}"#)
            _ = try await site.ask(phone, "friend.add", #"{"user":"ben"}"#)
            _ = try await site.ask(phone, "friend.share", #"{"with":"all"}"#)
            _ = try await site.ask(phone, "sos.stop")
            let files = ["page", "command"].map { installation.directory + "/\($0).zip" }
            try await download(site, phone, files[0])
            try await installation.kith("export", "ann", "--output", files[1])
            let found = try await Program.succeed("python3", ["-c", Self.comparison] + files)
            // Eight files, and four segments: to ±180°, from there, after the gap, and the watch's.
            #expect(found.trimmed == "8 4", "\(found)")
        }
    }

    @Test func `A user without data also gets a file`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let file = installation.directory + "/ann.zip"
            try await download(site, try await installation.token("ann"), file)
            let found = try await contents(file)
            #expect(found["features"] == .number(0) && found["paths"] == [])
            #expect(found["account"]["account"]["user"] == "ann")
            let nobody = try await site.curl("/api/export.zip")
            #expect(nobody.status == 401)
        }
    }
}
