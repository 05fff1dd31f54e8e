import ArgumentParser
import Bridge
import Contract
import Foundation
import JSON
import OperatorTools
import Web

extension UserCommand {
    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token for a user's device; its previous one stops working.",
            discussion: """
                The token is printed once; only its hash is stored. To revoke the token of a lost \
                or stolen device, create a new one and give it to no one. With --owntracks, the \
                configuration file for the OwnTracks app is printed instead: kith user token ann \
                phone --owntracks > ann.otrc
                """)

        @Argument(help: "The user's name.")
        var user: Name

        @Argument(help: "The device's name in topics.")
        var device: Name

        @Flag(help: "Print an OwnTracks configuration instead of the token.")
        var owntracks = false

        @Option(
            help:
                "The broker's host name as the phone sees it. Default: that of --for-phones, or web.phoneHost."
        )
        var host: String?

        @Option(
            help:
                "The broker's port as the phone sees it. Default: 8883 with --for-phones, or web.phonePort."
        )
        var port: Int?

        @Flag(help: "Have the phone use TLS, even if web.phoneTLS is false.")
        var tls = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            // The device's current token stops working: first everything that could still be
            // refused.
            let settings = owntracks ? try await reachedSettings() : nil
            var random = SystemRandomNumberGenerator()
            let token = DeviceToken(user: user, device: device, using: &random)
            let result = try await options.perform(
                .setToken(
                    user: user, device: device, hash: token.hash, speaksOwnTracks: owntracks))
            if case .string(let ended) = result["ended"] {
                // Only the token goes to standard output.
                FileHandle.standardError.write(
                    Data("\(ended) was logged out to make room.\n".utf8))
            }
            print(settings.map { configuration(token.text, $0) } ?? token.text)
        }

        /// - Throws: ``Complaint`` if the address where phones reach the broker is unknown.
        private func reachedSettings() async throws -> WebSettings {
            _ = try await options.databaseThatIsThere()
            let bridge = Condition.Bridge(on: options.databasePath)
            var settings = try await options.webSettings()
            settings.follow(bridge, data: options.data)
            guard host != nil || settings.phones.host != nil else {
                throw Complaint(
                    "The broker's address is not known to phones: start with --for-phones, set "
                        + "web.phoneHost, or specify it with --host.")
            }
            return settings
        }

        /// Returns the configuration that the app imports (owntracks.org/booklet/tech/json,
        /// `configuration`).
        private func configuration(_ token: String, _ settings: WebSettings) -> String {
            let (phones, broker) = (settings.phones, settings.broker)
            let topics = [
                "owntracks/\(user)/+", "owntracks/\(user)/+/info", "owntracks/\(user)/+/event",
                "owntracks/\(user)/\(device)/cmd",
            ]
            let bytes = JSONWriter.object { json in
                func text(_ key: StaticString, _ value: String) {
                    json.key(key)
                    json.string(value)
                }
                func number(_ key: StaticString, _ value: Int) {
                    json.key(key)
                    json.number(value)
                }
                text("_type", "configuration")
                number("mode", 0)
                text("host", host ?? phones.host ?? "127.0.0.1")
                number("port", port ?? phones.port ?? Int(broker.port))
                json.key("tls")
                json.bool(tls || phones.tls)
                json.key("auth")
                json.bool(true)
                text("username", user.text)
                text("password", token)
                text("deviceId", device.text)
                text("clientId", "\(user).\(device)")
                text("tid", String(user.text.suffix(2)))
                number("mqttProtocolLevel", 4)
                json.key("cleanSession")
                json.bool(false)
                text("pubTopicBase", "owntracks/\(user)/\(device)")
                number("pubQos", 1)
                json.key("pubRetain")
                json.bool(false)
                json.key("sub")
                json.bool(true)
                text("subTopic", topics.joined(separator: " "))
                number("subQos", 1)
                json.key("cmd")
                json.bool(true)
                json.key("extendedData")
                json.bool(true)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
