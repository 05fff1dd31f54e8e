import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing

@testable import Bridge

/// The fields with which Carol registers.
let carol = [
    "username": #""carol""#, "email": #""Carol@example.org""#,
    "password": #""correct horse""#, "firstName": #""Carol""#, "lastName": #""Čapek""#,
    "acceptTerms": "true",
]

/// The fields as an object, without those changed to nil.
func object(_ fields: [String: String], _ changes: [String: String?] = [:]) -> String {
    var fields: [String: String?] = fields
    fields.merge(changes) { $1 }
    let members = fields.sorted { $0.key < $1.key }
        .compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    return "{\(members.joined(separator: ","))}"
}

extension World {
    func guestMessage(
        _ method: String, _ payload: String, from guest: String = "mosq-1",
        responseTopic: String? = nil, correlation: [UInt8]? = nil
    ) throws -> Message {
        let client = try #require(ClientID(guest))
        var message = message(.guestRequest(client, method: method), payload)
        message.responseTopic = responseTopic
        message.correlationData = correlation
        return message
    }

    /// Sends a guest's request and returns the reply.
    @discardableResult
    func askAsGuest(_ method: String, _ payload: String, from guest: String = "mosq-1") throws
        -> JSONValue
    {
        let replies = try turn([try guestMessage(method, payload, from: guest)]).filter {
            $0.topic.hasPrefix("kith/guests/")
        }
        #expect(replies.count == 1)
        return replies.first.map { .read($0.payload) } ?? .null
    }

    @discardableResult
    func register(_ changes: [String: String?] = [:], from guest: String = "mosq-1") throws
        -> String
    {
        try askAsGuest("account.register", object(carol, changes), from: guest).outcome
    }

    @discardableResult
    func logIn(
        _ login: String = "carol", _ password: String = "correct horse",
        device: String = "phone", from guest: String = "mosq-1"
    ) throws -> JSONValue {
        try askAsGuest(
            "account.login",
            #"{"login":"\#(login)","password":"\#(password)","device":"\#(device)"}"#,
            from: guest)
    }

    /// The token of a login that must succeed.
    @discardableResult
    func token(device: String = "phone") throws -> DeviceToken {
        let result = try logIn(device: device)["result"]
        return try #require(DeviceToken(result?["token"]?.text ?? ""))
    }

    /// The token hashes that the gate would find for the user's devices.
    func tokenHashes(of user: Name = "carol") throws -> [Name: [UInt8]] {
        try store.transaction { try $0.access(of: user)?.tokenHashes ?? [:] }
    }

    func report(_ report: ConnectionReport) throws {
        try turn([message(.connections, String(decoding: report.payload, as: UTF8.self))])
    }
}
