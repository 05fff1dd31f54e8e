internal import Clocks
internal import Contract
internal import Directory
internal import Foundation
internal import MQTT
internal import Transfer

/// Trials for the operator before people need the service. Each trial makes the same request as the
/// service, with its settings, and returns the reason of a failure, without any address; nil on
/// success.
public struct Trials: Sendable {
    private let settings: BridgeSettings
    private let client = TransferClient()

    public init(_ settings: BridgeSettings) { self.settings = settings }

    // MARK: The directory

    public var hasDirectory: Bool { settings.directory != nil }

    /// Makes the first request of every login, on a thread that may block.
    public func directory() async -> String? {
        guard let directory = settings.directory?.settings else {
            return "login.ldap.url is not set"
        }
        return await onThread {
            do throws(DirectoryError) {
                try DirectoryClient(directory).reach()
                return nil
            } catch {
                return "\(error)"
            }
        }
    }

    // MARK: Channels

    /// The push services of the large browsers.
    public static let pushServices = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
    ]

    /// The reason why no browser can be notified at all; nil if they can.
    public var noPush: String? {
        settings.channels.pushContact == nil
            ? "web.origin (https) and channels.contact are missing" : nil
    }

    public func pushService(_ host: String) async -> String? {
        await answer { () throws(TransferError) in
            try HTTPRequest(
                .get, to: Endpoint("https://\(host)/"), addresses: settings.channels.addresses,
                authorities: settings.channels.authorities)
        } accepting: { _ in
            true
        }
    }

    /// Posts a test event that no receiver treats as news, unsigned, as to a person's own webhook.
    public func webhook(_ url: String) async -> String? {
        await answer { () throws(TransferError) in
            try HTTPRequest(
                to: Endpoint(url), headers: [.init("Content-Type", "application/json")],
                body: Array(#"{"type":"test"}"#.utf8), addresses: settings.channels.addresses,
                authorities: settings.channels.authorities)
        } accepting: {
            (200..<300).contains($0)
        }
    }

    private func answer(
        _ request: () throws(TransferError) -> HTTPRequest, accepting: (Int) -> Bool
    ) async -> String? {
        do throws(TransferError) {
            let status = try await client.send(request()).status
            return accepting(status) ? nil : "it answers with \(status)"
        } catch {
            return "\(error)"
        }
    }

    // MARK: Phones

    /// Connects as a phone without a token does, and requests the bridge's health check, which
    /// stores.
    ///
    /// - Parameters:
    ///   - host: the host that phones connect to.
    ///   - authority: the file (PEM) that phones trust; nil: the system's authorities.
    public func phones(at host: String, _ port: Int, tls: Bool, authority: String?) async -> String?
    {
        let topics = settings.topics
        return await onThread {
            let id = "trial-\(getpid())-\(port)"
            guard let guest = ClientID(id) else { preconditionFailure("\(id) is a client id") }
            var options = ConnectionOptions(host: host, port: Int32(port), clientID: id)
            if tls { options.tls = .init(authorities: authority) }
            do throws(MQTTError) {
                let connection = try Connection(options)
                defer { connection.disconnect() }
                try connection.open(within: Trials.patience)
                try connection.subscribe(
                    to: [topics.string(.guestReplies(guest, suffix: ""))], qos: .atMostOnce)
                try connection.publish(
                    topic: topics.string(.guestRequest(guest, method: Method.health.name)),
                    payload: Array("{}".utf8), qos: .atLeastOnce)
                try connection.release()
                let reply = try connection.next(within: Trials.patience).first
                return reply == nil ? "the bridge does not answer" : nil
            } catch {
                return "\(error)"
            }
        }
    }

    private static let patience = Duration.seconds(5)

    private func onThread(_ body: @escaping @Sendable () -> String?) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
