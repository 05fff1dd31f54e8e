import Crypto
import TestSupport
import Testing
import WebPush

struct SubscriptionTests {
    private let point = base64URL(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
    private let secret = base64URL(Array(0..<16))

    @Test(arguments: [
        ("https://push.example/abc?d#e", "https://push.example"),
        ("HTTPS://Push.Example:443/abc", "https://push.example"),
        ("https://push.example:8443", "https://push.example:8443"),
        ("https://[2001:db8::1]:8443/a@b", "https://[2001:db8::1]:8443"),
        ("https://push.example?x", "https://push.example"),
    ])
    func `An endpoint has an origin`(_ endpoint: String, _ origin: String) throws {
        let subscription = try PushSubscription(endpoint: endpoint, p256dh: point, auth: secret)
        #expect(subscription.origin == origin)
        #expect(subscription.endpoint == endpoint)
    }

    @Test(arguments: [
        "", "http://push.example/", "push.example", "https://", "https:///abc", "https://:443/",
        "https://push.example:/", "https://push.example:0443/", "https://push.example:65536/",
        "https://push.example:+1/", "https://a:b:1/", "https://[::1/", "https://::1]/",
        "https://push.example:8443:443/", "ftp://push.example/", "https://user@push.example/",
        "https://push.example\r\nX: y", "https://push.example/a b", "https://püsh.example/",
        "https://push.example\\@evil.example/", "https://push\"example/", " https://push.example/",
        "https://push.example/" + String(repeating: "a", count: 1024),
    ])
    func `An endpoint that is not a valid https URL is refused`(_ endpoint: String) {
        #expect(throws: WebPushError.endpoint) {
            try PushSubscription(endpoint: endpoint, p256dh: point, auth: secret)
        }
    }

    @Test func `Keys are read with padding and without`() throws {
        for padding in ["", "="] {
            _ = try PushSubscription(
                endpoint: "https://push.example", p256dh: point + padding,
                auth: secret + padding + padding)
        }
    }

    @Test func `A key that is not on the curve and an invalid secret are refused`() {
        var offCurve = bytes(point)
        offCurve[64] ^= 1
        var hybrid = bytes(point)
        hybrid[0] = 6
        let compressed = P256.KeyAgreement.PrivateKey().publicKey.compressedRepresentation
        let bad: [[UInt8]] = [
            [], [4], offCurve, hybrid, Array(compressed), [4] + Array(repeating: 0, count: 64),
            [0], bytes(point) + [0], bytes(point).dropLast(),
        ]
        for key in bad {
            #expect(throws: WebPushError.publicKey, "\(key)") {
                try PushSubscription(
                    endpoint: "https://push.example", p256dh: base64URL(key), auth: secret)
            }
        }
        for key in [point + "==", point + "!", "=" + point, point.dropLast() + "+", "é"] {
            #expect(throws: WebPushError.publicKey, "\(key)") {
                try PushSubscription(
                    endpoint: "https://push.example", p256dh: String(key), auth: secret)
            }
        }
        for auth in ["", "AA", secret + "AA", secret + "=", String(secret.dropLast()) + "B"] {
            #expect(throws: WebPushError.authenticationSecret, "\(auth)") {
                try PushSubscription(endpoint: "https://push.example", p256dh: point, auth: auth)
            }
        }
    }
}
