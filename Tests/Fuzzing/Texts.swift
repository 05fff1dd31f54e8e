import Bridge
import Contract
import Foundation
import Tracking

/// Everything that is parsed from a text of its own: what is accepted must survive a round trip.
enum Texts {
    static func read(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        try again(text, "name", { Name($0) }, \.text)
        try again(text, "group", { GroupKey($0) }, \.text)
        try again(text, "client id", { ClientID($0) }, \.text)
        try again(text, "token", { DeviceToken($0) }, \.text)
        try again(text, "principal's token", { PrincipalToken($0) }, \.text)
        try again(text, "username", { Principal(username: $0) }, \.username)
        try again(text, "recovery code", { RecoveryCode($0) }, \.text, isExact: false)
        try again(text, "secret of a password", { PasswordHash($0) }, \.text, isExact: false)
        try again(text, "cursor", { ExportCursor($0) }, \.description)
        try again(text, "cursor of positions", { PositionPlace($0) }, \.description)
        try again(text, "cursor of a path", { PathCursor($0) }, \.text)
        try again(text, "id of an alert", { UUIDv7($0) }, \.description, isExact: false)
        try again(text, "time", { Timestamp(rfc3339: $0) }, \.rfc3339, isExact: false)
        try again(text, "display name", displayName, \.text, isExact: false)
        try again(text, "phone number", { PhoneNumber($0) }, \.text, isExact: false)
        try again(text, "address", emailAddress, \.text, isExact: false)
        try checkBounds(text)
        try checkLooks(text)
    }

    /// - Parameter isExact: whether there is only one way to write it.
    private static func again<Value: Equatable>(
        _ text: String, _ what: String, _ read: (String) -> Value?, _ print: (Value) -> String,
        isExact: Bool = true
    ) throws {
        guard let value = read(text) else { return }
        let printed = print(value)
        try expect(read(printed) == value, "a \(what) reads as it is printed")
        try expect(!isExact || printed.utf8.elementsEqual(text.utf8), "a \(what) is what it was")
        try expect(print(value) == printed, "a \(what) is printed alike")
    }

    private static func checkLooks(_ text: String) throws {
        let form = LookAlike(text)
        try expect(
            LookAlike(text.decomposedStringWithCanonicalMapping) == form,
            "a letter looks the same however it is composed")
        try expect(LookAlike("\u{200B}" + text) == form, "an invisible letter has no effect")
    }

    private static func displayName(_ text: String) -> DisplayName? {
        do { return try DisplayName(text) } catch { return nil }
    }

    private static func emailAddress(_ text: String) -> EmailAddress? {
        do { return try EmailAddress(text) } catch { return nil }
    }

    private static func checkBounds(_ text: String) throws {
        if let name = displayName(text) {
            try expect(!name.text.isEmpty && name.text.utf8.count <= 512, "a name has a length")
            try expect(
                !name.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F },
                "a name has no control characters")
        }
        if let address = emailAddress(text) {
            let folded = EmailAddress.folded(address.text)
            try expect(EmailAddress.folded(folded) == folded, "folding once is enough")
            try expect(
                address.text.utf8.count <= EmailAddress.maximumLength, "an address has a length")
        }
        if let client = ClientID(text) {
            try expect(
                !client.text.utf8.contains { "/+#".utf8.contains($0) || $0 < 0x20 },
                "a client id can stand in a topic")
        }
    }
}
