import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// Makes the company Acme, if there is none, and a service of it.
    ///
    /// - Returns: the answer to `service.create`.
    @discardableResult
    func makeService(
        _ name: String = "myheart", data: String? = nil, of company: Sender = "acme/desk"
    ) throws -> JSONValue {
        if engine.memory.account(company.user) == nil { try makeCompany(company.user.text) }
        let kinds = data.map { #","data":[\#($0)]"# } ?? ""
        return try ask(
            company, "service.create",
            #"{"service":"\#(name)","name":"My heart","description":"Draws it."\#(kinds)}"#)
    }

    @discardableResult
    func makeCompany(
        _ name: String = "acme", secondFactor: Bool = true, isConfirmed: Bool = true
    ) throws -> JSONValue {
        let answer = try askAsGuest(
            "thirdparty.register",
            #"{"company":"\#(name.prefix(1).uppercased())\#(name.dropFirst())","email":"\#(name)@example.org","#
                + #""password":"correct horse \#(name)","acceptTerms":true}"#)
        if secondFactor, let user = Name(name), let id = engine.memory.account(user)?.id {
            try store.transaction { transaction in
                try transaction.startSecondFactor(
                    Array(repeating: 1, count: 20), of: id, at: now)
                try transaction.confirmSecondFactor(of: id, [], at: now)
            }
        }
        if isConfirmed { _ = try operate(.confirmAddress(Name(name) ?? "nobody")) }
        return answer
    }

    /// Waits until requests of services are handled: whom they mean is looked up a little later.
    func passQuestions() throws { try pass(.seconds(5)) }

    /// Sends a request of a service's program and returns the reply.
    func askAsService(_ method: String, _ payload: String = "", service: Name = "myheart") throws
        -> JSONValue
    {
        let replies = try turn([message(.serviceRequest(service, method: method), payload)])
            .filter {
                if case .serviceReplies = topics.parse($0.topic) { true } else { false }
            }
        #expect(replies.count == 1)
        return replies.first.map { .read($0.payload) } ?? .null
    }

    /// The samples that services have received since the last call of `published()`.
    func samples(for service: Name = "myheart") -> [(user: Name, sample: JSONValue)] {
        sampleMessages(for: service).flatMap { user, message in
            (message.elements.isEmpty ? [message] : message.elements).map { (user, $0) }
        }
    }

    /// The same, in messages as they were sent.
    func sampleMessages(for service: Name = "myheart") -> [(user: Name, sample: JSONValue)] {
        published().compactMap { publication in
            guard case .listed(.samples, let names)? = topics.parse(publication.topic),
                names.service == service, let user = names.user
            else { return nil }
            #expect(publication.qos == .atMostOnce && !publication.retain)
            return (user, .read(publication.payload))
        }
    }

    /// The notices to a service since the last call of `published()`.
    func told(to service: Name = "myheart") -> [String] {
        published().compactMap { publication in
            guard case .listed(.serviceNotices, let names)? = topics.parse(publication.topic),
                names.service == service
            else { return nil }
            let notice = JSONValue.read(publication.payload)
            return "\(notice["kind"]?.text ?? "?") \(notice["user"]?.text ?? "?")"
        }
    }

    /// The entries of the person's log, the oldest first.
    func log(_ who: Sender = "alice") throws -> [String] {
        let entries = try ask(who, "access.log")["result"]?["entries"]?.elements ?? []
        return entries.reversed().map { entry in
            let count = entry["count"]?.integer.map { " \($0)" } ?? ""
            let data = entry["data"]?.elements.compactMap(\.text) ?? []
            #expect(data.isEmpty == (entry["from"] == nil) && data.isEmpty == (entry["to"] == nil))
            return "\(entry["service"]?.text ?? "?") \(entry["what"]?.text ?? "?")\(count)"
        }
    }
}
