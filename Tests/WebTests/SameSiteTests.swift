import HTTPTypes
import Hummingbird
import Testing

@testable import Web

/// Which requests a browser may send in a user's name.
struct SameSiteTests {
    private func isAllowed(
        site: String?, origin: String?, isCertain: Bool = true, configured: String? = nil
    ) -> Bool {
        var settings = WebSettings()
        settings.server.origin = configured
        var fields = HTTPFields()
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") { fields[name] = site }
        if let origin { fields[.origin] = origin }
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "kith.example:8080", path: "/",
            headerFields: fields)
        let request = Request(head: head, body: .init(buffer: .init()))
        do throws(Refusal) {
            try SameSite(settings).check(request, isCertain: isCertain)
            return true
        } catch {
            return false
        }
    }

    @Test func `Requests from the site itself are allowed, others are not`() {
        #expect(isAllowed(site: "same-origin", origin: nil))
        #expect(isAllowed(site: nil, origin: "http://kith.example:8080"))
        #expect(isAllowed(site: "same-origin", origin: "https://kith.example:8080"))
        #expect(!isAllowed(site: "same-origin", origin: "http://kith.example"))
        #expect(!isAllowed(site: "cross-site", origin: nil))
        #expect(!isAllowed(site: "same-site", origin: "http://kith.example:8080"))
        #expect(!isAllowed(site: nil, origin: "null"))
        #expect(!isAllowed(site: nil, origin: "http://kith.example:8080.evil.example"))
    }

    @Test func `A request without an origin is trusted only without a cookie`() {
        #expect(!isAllowed(site: nil, origin: nil))
        #expect(isAllowed(site: nil, origin: nil, isCertain: false))
        #expect(!isAllowed(site: "cross-site", origin: nil, isCertain: false))
    }

    @Test func `The configured origin counts, not the request's name for the site`() {
        let own = "https://kith.example.org"
        #expect(isAllowed(site: nil, origin: own, configured: own))
        #expect(!isAllowed(site: nil, origin: "http://kith.example:8080", configured: own))
    }

    @Test(arguments: [
        ("https://a.example/{z}", "https://a.example"), ("http://a:1", "http://a:1"),
        ("https://A.example?x", "https://a.example"),
    ])
    func `An origin is scheme, host and port`(_ address: String, _ origin: String) {
        #expect(Origin(of: address)?.text == origin)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example", "https://", "https://a; script-src *", "javascript:1",
        "https://{s}.example/{z}", "https://a'b",
    ])
    func `A text that could widen a policy is not an origin`(_ address: String) {
        #expect(Origin(of: address) == nil)
    }
}
