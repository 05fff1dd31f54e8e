import Foundation
import TestSupport
import Testing

/// `GET /api/avatars/{user}/{digest}`: people's pictures, for those who know them.
@Suite(.timeLimit(.minutes(3)))
struct AvatarTests {
    /// 64 × 64 pixels of one colour.
    private static func pixels(_ red: UInt8) -> String {
        Data((0..<64 * 64).flatMap { _ in [red, 30, 90] }).base64EncodedString()
    }

    /// Gives a user a picture, and returns its digest.
    private func show(_ pixels: String, of token: String, on site: Site) async throws -> String {
        let answer = try await site.ask(token, "account.update", #"{"avatar":"\#(pixels)"}"#)
        return try #require(answer.json["avatar"].text, "\(answer)")
    }

    private func get(_ user: String, _ digest: String, as token: String, on site: Site)
        async throws -> Site.Answer
    {
        try await site.curl(
            "/api/avatars/\(user)/\(digest)",
            ["-I", "-H", "Authorization: Bearer \(token)"])
    }

    @Test func `Only members of a common group see a picture`() async throws {
        try await withSite { installation, site in
            _ = try await installation.family("ann", "ben")
            try await installation.kith("user", "add", "eve")
            let (ann, ben) = (
                try await installation.token("ann"), try await installation.token("ben")
            )
            let eve = try await installation.token("eve")
            let first = try await show(AvatarTests.pixels(200), of: ann, on: site)

            let seen = try await get("ann", first, as: ben, on: site)
            #expect(seen.status == 200, "\(seen)")
            #expect(seen.headers["cache-control"] == "private, max-age=31536000, immutable")
            let file = installation.directory + "/ann.png"
            try await Program.succeed(
                "curl",
                [
                    "-sf", "-o", file, "-H", "Authorization: Bearer \(ben)",
                    site.address + "/api/avatars/ann/\(first)",
                ])
            // A signature, and a header chunk with width and height.
            let head = try Data(contentsOf: URL(fileURLWithPath: file)).prefix(24)
            #expect(head.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            #expect(head.suffix(8) == Data([0, 0, 0, 64, 0, 0, 0, 64]))

            // A stranger and a missing user: the same response.
            let stranger = try await get("ann", first, as: eve, on: site)
            let nobody = try await get("nobody", first, as: eve, on: site)
            #expect(stranger.status == 404 && nobody.status == 404, "\(stranger) \(nobody)")
            let guest = try await site.curl("/api/avatars/ann/\(first)", ["-I"])
            #expect(guest.status == 401, "\(guest)")

            // An earlier one is no longer served, nor is one that was removed.
            let second = try await show(AvatarTests.pixels(10), of: ann, on: site)
            #expect(second != first)
            #expect(try await get("ann", first, as: ben, on: site).status == 404)
            #expect(try await get("ann", second, as: ben, on: site).status == 200)
            _ = try await site.ask(ann, "account.update", #"{"avatar":null}"#)
            #expect(try await get("ann", second, as: ben, on: site).status == 404)
        }
    }
}
