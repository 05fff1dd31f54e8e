import Foundation
import Testing
import Webhooks

struct WebhookSecretTests {
    /// The example of the scheme's libraries (standard-webhooks/standard-webhooks); Python's `hmac`
    /// gives the same.
    @Test func `The published example is reproduced`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let headers = try #require(
            secret.headers(
                id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330,
                body: Array(#"{"test": 2432232314}"#.utf8)))
        #expect(
            headers.map { "\($0.name): \($0.value)" } == [
                "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
                "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test func `Id, time and body each change the signature`() throws {
        let secret = try #require(WebhookSecret(bytes: Array(0..<24)))
        func signature(_ id: String, _ time: Int64, _ body: String) -> String? {
            secret.headers(id: id, at: time, body: Array(body.utf8))?.last?.value
        }
        let all = [
            signature("a", 12, "3"), signature("b", 12, "3"), signature("a", 1, "23"),
            signature("a", 1, "2.3"), signature("a", 12, "4"), signature("a1", 2, "3"),
            WebhookSecret(bytes: Array(1...24))?
                .headers(id: "a", at: 12, body: Array("3".utf8))?.last?.value,
        ]
        #expect(Set(all).count == all.count)
        #expect(signature("a", 12, "3") == all[0])
    }

    @Test(arguments: ["", "a.b", "a b", "a\n", "\u{7F}", "é", "e\u{301}"])
    func `An id that could be another message's is not signed`(_ id: String) throws {
        let secret = try #require(WebhookSecret(bytes: Array(0..<24)))
        #expect(secret.headers(id: id, at: 12, body: []) == nil)
    }

    @Test func `A secret has 24 to 64 bytes, in base64`() throws {
        for count in [24, 32, 64] {
            let secret = try #require(WebhookSecret(bytes: Array(repeating: 7, count: count)))
            let again = try #require(WebhookSecret(secret.text))
            #expect(again.text == secret.text)
            #expect(secret.text.hasPrefix("whsec_"))
        }
        for count in [0, 23, 65] {
            #expect(WebhookSecret(bytes: Array(repeating: 7, count: count)) == nil)
            let text = Data(repeating: 7, count: count).base64EncodedString()
            #expect(WebhookSecret("whsec_" + text) == nil)
        }
        let text = Data(repeating: 7, count: 32).base64EncodedString()
        for wrong in [text, "whsec-" + text, "whsec_" + text + "!", "whsec_" + text.dropLast()] {
            #expect(WebhookSecret(String(wrong)) == nil)
        }
    }
}
