import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// `kith web` as a program uses it.
@Suite(.timeLimit(.minutes(3)))
struct MethodTests {
    @Test func `Requests are answered as over MQTT`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let token = try await installation.token("ann")
            let list = try await site.ask(token, "group.list")
            #expect(list.status == 200)
            #expect(list.headers["content-type"] == "application/json")
            #expect(list.json["groups"].elements.first?["group"].text == group)
            let started = try await site.ask(token, "sharing.start", #"{"groups":"all"}"#)
            #expect(started.json["states"].elements.first?["state"].text == "active")
            let refused = try await site.ask(token, "journey.stop")
            #expect(refused.status == 409)
            #expect(refused.problem == "urn:kith:problem:not-on-a-journey")
            #expect(refused.headers["content-type"] == "application/problem+json")
            #expect(try await site.ask(token, "no.method").status == 404)
            #expect(try await site.ask(token, "group.create", "{").status == 400)
        }
    }

    @Test func `A request with the same id is executed once`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            let payload = #"{"id":"once","name":"Family"}"#
            let first = try await site.ask(token, "group.create", payload)
            let second = try await site.ask(token, "group.create", payload)
            #expect(first.json["group"].text != nil)
            #expect(first.json["group"] == second.json["group"])
            let list = try await site.ask(token, "group.list")
            #expect(list.json["groups"].elements.count == 1)
        }
    }

    @Test func `People register and log in, and guests can do nothing else`() async throws {
        try await withSite { _, site in
            let wrong = try await site.curl("/api/account.register", ["-d", #"{"username":"A"}"#])
            #expect(wrong.status == 422)
            #expect(wrong.json["errors"].elements.count >= 5)
            let registered = try await site.curl(
                "/api/account.register",
                [
                    "-d",
                    """
                    {"username":"ann","email":"ann@example.org","password":"correct horse",
                    "firstName":"Ann","lastName":"Lake","acceptTerms":true}
                    """,
                ])
            #expect(registered.json["user"].text == "ann")
            let login = try await site.curl(
                "/api/account.login",
                ["-d", #"{"login":"ann","password":"correct horse","device":"script"}"#])
            let token = try #require(login.json["token"].text)
            #expect(try await site.ask(token, "account.get").json["firstName"] == "Ann")
            let nobody = try await site.curl("/api/account.get", ["-d", "{}"])
            #expect(nobody.status == 401)
            #expect(nobody.headers["www-authenticate"] == "Bearer")
            #expect(try await site.ask(token, "account.logout").status == 200)
            let gone = try await eventually("a token that works no more") { () -> Site.Answer? in
                let answer = try await site.ask(token, "account.get")
                return answer.status == 401 ? answer : nil
            }
            #expect(gone.status == 401)
        }
    }

    @Test func `A numbered fix is answered when it is on disk`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let token = try await installation.token("ann")
            _ = try await site.ask(token, "sharing.start", #"{"groups":"all"}"#)
            let now = Int(Date().timeIntervalSince1970 * 1000)
            func fix(_ number: Int, _ latitude: Double = 46.05) -> String {
                """
                {"latitude":\(latitude),"longitude":14.51,"accuracy":5,"seq":\(number),\
                "timestamp":\(now - 10_000 + number * 1000)}
                """
            }
            let answer = try await site.ask(token, "fix", "[\(fix(1)),\(fix(2, 99)),\(fix(3))]")
            #expect(answer.status == 200)
            #expect(answer.json["stored"] == .number(3))
            let rejected = answer.json["rejected"].elements
            #expect(rejected.first?["problem"]["type"].text == "urn:kith:problem:invalid")
            let database = try installation.database()
            let count = try await database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM fixes")
            }
            #expect(count == 2)
            let again = try await site.ask(token, "fix", fix(3))
            #expect(again.json["stored"] == .number(3))
            let plain = try await site.ask(
                token, "fix", #"{"latitude":46.06,"longitude":14.5,"timestamp":\#(now)}"#)
            #expect(plain.status == 202)
            #expect(try await site.ask(token, "fix", "false").status == 422)
            #expect(try await site.ask(token, "fix", "{").status == 400)
            let ben = try await site.ask(
                try await installation.token("ben"), "members.get", #"{"group":"\#(group)"}"#)
            #expect(ben.body.contains("46.0"))
        }
    }

    @Test func `The page answers 503 without a broker, and recovers by itself`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            let token = try await installation.token("ann")
            #expect(try await site.ask(token, "group.list").status == 200)
            #expect(try await site.curl("/healthz").status == 200)
            await installation.broker.kill()
            let away = try await site.ask(token, "group.list")
            #expect(away.status == 503)
            #expect(away.headers["retry-after"] != nil)
            try await installation.startBroker()
            _ = try await eventually("an answer") { () -> Bool? in
                try await site.ask(token, "group.list").status == 200 ? true : nil
            }
            _ = try await eventually("a healthy page", within: .seconds(40)) { () -> Bool? in
                try await site.curl("/healthz").status == 200 ? true : nil
            }
            await installation.crash()
            // A busy machine may first consider the broker away.
            _ = try await eventually("a sick page", within: .seconds(40)) { () -> Bool? in
                let answer = try await site.curl("/healthz")
                return answer.status == 503 && answer.json["reason"] == "bridge-not-answering"
                    ? true : nil
            }
        }
    }

    @Test func `Paths are served as files`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ann = try await installation.token("ann")
            _ = try await site.ask(ann, "sos.trigger")
            let start = Int(Date().timeIntervalSince1970 * 1000)
            // More than one page of path.get, and from one side of 180° to the other.
            let fixes = (1...900).map {
                """
                {"latitude":46,"longitude":\($0 <= 450 ? 179 + Double($0) / 1000 : -179.9),\
                "accuracy":5,"seq":\($0),"timestamp":\(start + $0 * 50)}
                """
            }
            for part in stride(from: 0, to: 900, by: 300) {
                let answer = try await site.ask(
                    ann, "fix", "[\(fixes[part..<part + 300].joined(separator: ","))]")
                try #require(answer.status == 200, "\(answer)")
            }
            let ben = ["-H", "Authorization: Bearer \(try await installation.token("ben"))"]
            let path = "/api/groups/\(group)/members/ann/path"
            let geoJSON = try await site.curl(path + ".geojson", ben)
            let line = geoJSON.json["geometry"]
            #expect(line["type"] == "MultiLineString")
            let lines = line["coordinates"].elements.map(\.elements.count)
            #expect(lines.count == 2 && lines.reduce(0, +) > 800)
            let times = geoJSON.json["properties"]["times"].elements.map(\.elements.count)
            #expect(times == lines)
            #expect(line["coordinates"].elements[1].elements[0].elements[0].number == -180)
            let gpx = try await site.curl(path + ".gpx", ben)
            #expect(
                gpx.body.components(separatedBy: "<trkpt").count - 1 == lines.reduce(0, +))
            #expect(gpx.body.components(separatedBy: "<trkseg>").count == 3)
            #expect(gpx.headers["content-disposition"] == #"attachment; filename="ann-path.gpx""#)
            try await installation.kith("user", "add", "eve")
            let eve = ["-H", "Authorization: Bearer \(try await installation.token("eve"))"]
            #expect(try await site.curl(path + ".gpx", eve).status == 403)
        }
    }

    @Test func `A fix refused for its time alone is to be resent`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            func fix(_ number: Int, in seconds: Double) -> String {
                let time = Date(timeIntervalSinceNow: seconds).formatted(.iso8601)
                return #"{"seq":\#(number),"latitude":1,"longitude":2,"timestamp":"\#(time)"}"#
            }
            let first = try await site.ask(token, "fix", fix(1, in: -1))
            #expect(first.json["stored"].number == 1)
            let early = try await site.ask(token, "fix", fix(2, in: 3600))
            #expect(early.status == 200 && early.json["stored"].number == 1, "\(early)")
            #expect(early.json["rejected"].elements.first?["again"].elements.count == 1)
            let both = "[\(fix(2, in: 3600)),\(fix(3, in: 0))]"
            let mixed = try await site.ask(token, "fix", both)
            #expect(mixed.status == 200 && mixed.json["stored"].number == 1, "\(mixed)")
            // As the page renumbers them.
            let right = try await site.ask(token, "fix", fix(2, in: -2))
            #expect(right.json["stored"].number == 3, "\(right)")
        }
    }

    @Test func `Faults of numbered fixes are reported, not waited for`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            let old = #""latitude":1,"longitude":2,"timestamp":"2001-01-01T00:00:00Z""#
            let wrong = #""latitude":91,"longitude":2,"timestamp":"2001-01-01T00:00:00Z""#
            // Nothing is covered; a gap between refused ones; refused beyond what came before.
            for (fixes, kinds) in [
                (#"[{"seq":0,\#(old)},{"seq":1,\#(old)}]"#, ["too-old"]),
                (#"[{"seq":7,\#(wrong)},{"seq":3,\#(wrong)}]"#, ["invalid"]),
                (#"[{"seq":900,\#(wrong)},{"seq":90,\#(old)}]"#, ["invalid", "too-old"]),
                (#"{"seq":5000,\#(wrong)}"#, ["invalid"]),
            ] {
                let answer = try await site.ask(token, "fix", fixes)
                #expect(answer.status == 200, "\(answer)")
                let problems = answer.json["rejected"].elements.map { $0["problem"]["type"].text }
                #expect(problems == kinds.map { "urn:kith:problem:\($0)" }, "\(answer)")
            }
            let beyond = #"[{"seq":1,\#(wrong)},{"seq":9007199254740992,\#(wrong)}]"#
            #expect(try await site.ask(token, "fix", beyond).status == 422)
        }
    }

    @Test func `A stranger on the page locks no one out`() async throws {
        try await withSite(["KITH_WEB_BEHIND_PROXY": "true"]) { _, site in
            func ask(_ method: String, _ payload: String, from address: String) async throws
                -> Site.Answer
            {
                try await site.curl(
                    "/api/account.\(method)",
                    ["-H", "X-Forwarded-For: \(address)", "-d", payload])
            }
            func guess(_ number: Int) async throws -> String? {
                // Claims to be a different visitor each time, which is ignored.
                try await ask(
                    "login",
                    """
                    {"login":"ann","password":"wrong horse","device":"laptop","visitor":"\(number)"}
                    """, from: "192.0.2.1"
                ).problem
            }
            let registered = try await ask(
                "register",
                """
                {"username":"ann","email":"ann@example.org","password":"correct horse",
                "firstName":"Ann","lastName":"Lake","acceptTerms":true}
                """, from: "192.0.2.2")
            #expect(registered.json["user"].text == "ann")
            // The first waits are shorter than a guess takes on a slow machine.
            var problems: [String?] = []
            while problems.count < 15, problems.last != "urn:kith:problem:too-many-attempts" {
                problems.append(try await guess(problems.count))
            }
            #expect(problems.first == "urn:kith:problem:wrong-credentials")
            #expect(problems.last == "urn:kith:problem:too-many-attempts")
            let login = try await ask(
                "login", #"{"login":"ann","password":"correct horse","device":"script"}"#,
                from: "192.0.2.2")
            #expect(login.json["token"].text != nil, "\(login)")
        }
    }
}
