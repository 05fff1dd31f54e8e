import Crypto
import TestSupport
import Testing
import WebPush

struct MessageTests {
    /// RFC 8291, appendix A.
    @Test func `The example of RFC 8291 is reproduced to the byte`() throws {
        let subscription = try PushSubscription(
            endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6S"
                + "RpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg")
        let message = try PushMessage(
            Array("When I grow up, I want to be a watermelon".utf8), timeToLive: .seconds(10))
        let once = try MessageKey(
            P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        let request = try message.request(to: subscription, once: once, authorization: "x")
        #expect(
            base64URL(request.body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6"
                + "e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZ"
                + "wbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
        let browser = BrowserSide(
            key: try P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")),
            secret: bytes("BTBZMqHH6r4Tts7J_aSIgg"))
        #expect(try browser.decrypt(request.body) == message.payload)
    }

    /// RFC 8188, 3.1 and 3.2: verifies the tests' own decryptor.
    @Test func `The decryptor reads the examples of RFC 8188`() throws {
        let one = bytes(
            "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
        #expect(
            try decryptRecords(one, material: bytes("yqdlZ-tYemfogSmv7Ws5PQ"))
                == Array("I am the walrus".utf8))
        let two = bytes(
            "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEU"
                + "KEpgz3SsLWIqS_uA")
        #expect(
            try decryptRecords(two, material: bytes("BO3ZVPxUlnLORbVGMpbT1Q"))
                == Array("I am the walrus".utf8))
    }

    @Test func `Any message up to the limit is read by its browser alone`() throws {
        let browser = BrowserSide(secret: Array(0..<16))
        let subscription = try browser.subscription()
        for count in [0, 1, 100, 3992, PushMessage.maximumPayload] {
            let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let message = try PushMessage(payload, timeToLive: .zero)
            for padding in [-1, 0, 1, 500, 100_000] {
                let request = try message.request(
                    to: subscription, once: MessageKey(), padding: padding, authorization: "x")
                #expect(try browser.decrypt(request.body) == payload)
                #expect(request.body.count <= 4096)
                #expect(
                    request.body.count == min(4096, count + 103 + max(0, padding)), "\(padding)")
            }
        }
        let request = try PushMessage([1, 2, 3], timeToLive: .zero).request(
            to: subscription, once: MessageKey(), authorization: "x")
        #expect(throws: (any Error).self) {
            try BrowserSide(secret: Array(0..<16)).decrypt(request.body)
        }
        #expect(throws: (any Error).self) {
            try BrowserSide(key: browser.key, secret: Array(1...16)).decrypt(request.body)
        }
        var changed = request.body
        changed[changed.count - 1] ^= 1
        #expect(throws: (any Error).self) { try browser.decrypt(changed) }
        #expect(throws: WebPushError.message) {
            try PushMessage(Array(repeating: 0, count: 3994), timeToLive: .zero)
        }
    }

    @Test func `No two messages share a salt or a key`() throws {
        let subscription = try BrowserSide(secret: Array(0..<16)).subscription()
        let message = try PushMessage([1], timeToLive: .zero)
        let heads = try (0..<100).map { _ in
            try message.request(to: subscription, once: MessageKey(), authorization: "x").body
        }
        #expect(Set(heads.map { $0[..<16] }).count == 100)
        #expect(Set(heads.map { $0[21..<86] }).count == 100)
    }

    @Test func `The headers have a message's time to live, urgency and topic`() throws {
        let subscription = try BrowserSide(secret: Array(0..<16)).subscription()
        let request = try PushMessage(
            [1], timeToLive: .milliseconds(90_900), urgency: .veryLow, topic: "sos-1_A"
        ).request(to: subscription, once: MessageKey(), authorization: "vapid t=a, k=b")
        #expect(request.endpoint == "https://push.example/abc")
        #expect(
            request.headers.map { "\($0.name): \($0.value)" } == [
                "Authorization: vapid t=a, k=b", "Content-Encoding: aes128gcm",
                "Content-Type: application/octet-stream", "TTL: 90", "Urgency: very-low",
                "Topic: sos-1_A",
            ])
        for topic in ["", String(repeating: "a", count: 33), "a b", "a\r\nB: c", "é", "a="] {
            #expect(throws: WebPushError.topic) {
                try PushMessage([], timeToLive: .zero, topic: topic)
            }
        }
        #expect(throws: WebPushError.salt) {
            try MessageKey(P256.KeyAgreement.PrivateKey(), salt: [1])
        }
    }
}
