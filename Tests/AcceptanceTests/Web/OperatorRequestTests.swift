import Foundation
import TestBroker
import TestSupport
import Testing

/// The operator's requests over HTTP.
@Suite(.timeLimit(.minutes(3)))
struct OperatorRequestTests {
    private func token(_ name: String, _ installation: Installation) throws -> String {
        try String(
            contentsOfFile: installation.directory + "/tokens/\(name)", encoding: .utf8
        ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `Only the operator's token gives access to users and state`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            let own = try token("operator", installation)
            let ann = try await installation.token("ann")
            let list = try await site.ask(own, "user.list")
            #expect(list.json["users"].elements.compactMap(\.["user"].text) == ["ann", "ben"])
            let state = try await site.curl(
                "/operator/state", ["-H", "Authorization: Bearer \(own)"])
            #expect(state.status == 200)
            #expect(["well", "degraded"].contains(state.json["status"].text), "\(state)")
            #expect(state.json["version"].text != nil)
            for other in [ann, try token("metrics", installation)] {
                let refused = try await site.curl(
                    "/operator/state", ["-H", "Authorization: Bearer \(other)"])
                #expect(refused.status == 403)
                #expect(try await site.ask(other, "user.list").status >= 400)
                #expect(try await site.ask(other, "user.remove", #"{"user":"ben"}"#).status >= 400)
            }
            let wrong = String(own.dropLast()) + (own.hasSuffix("A") ? "B" : "A")
            #expect(try await site.ask(wrong, "user.list").status == 401)
            #expect(try await site.curl("/operator/state", []).status == 401)
            #expect(try await site.ask(own, "user.token", #"{"user":"ann"}"#).status == 404)
            #expect(try await site.ask(own, "user.disable", #"{"user":"ann"}"#).status == 200)
            #expect(try await site.ask(ann, "group.list").status == 401)
            #expect(try await site.ask(own, "user.list").json["users"].elements.count == 2)
        }
    }

    @Test func `The settings can close the operator's page`() async throws {
        try await withSite(["KITH_WEB_OPERATOR_PAGE": "false"]) { installation, site in
            let own = try token("operator", installation)
            let refused = try await site.ask(own, "user.list")
            #expect(refused.status == 403)
            let state = try await site.curl(
                "/operator/state", ["-H", "Authorization: Bearer \(own)"])
            #expect(state.status == 403)
            let metrics = try await site.curl("/metrics", ["-H", "Authorization: Bearer \(own)"])
            #expect(metrics.status == 200)
        }
    }
}
