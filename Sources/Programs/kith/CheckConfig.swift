import ArgumentParser
import Bridge
import Contract
import Foundation
import OperatorTools
import Web

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration and report everything wrong with it.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        var (settings, web) = try await options.allSettings()
        let unreadable = CheckConfig.unreadable(settings.files.merging(web.files) { $1 })
        let faults = unreadable.isEmpty ? Web.faults(web).map(\.description) : unreadable
        let bridge = Condition.Bridge(on: options.databasePath)
        let complaints = faults + options.faultsOfCertificate(for: bridge?.phonesName)
        guard complaints.isEmpty else { throw Complaint(complaints.joined(separator: "\n")) }
        print("The configuration is valid.")
        web.follow(bridge, data: options.data)
        settings.channels.page = web.server.origin
        for kind in ChannelKind.allCases {
            guard let reason = settings.channels.reason(against: kind) else { continue }
            // It is unknown with which options it will be started.
            let isOpen = kind == .push && bridge == nil
            print(isOpen ? "\(reason) --for-phones does that." : reason)
        }
    }

    /// - Parameter files: by key.
    private static func unreadable(_ files: [String: String]) -> [String] {
        files.sorted { $0.key < $1.key }.filter { _, path in
            FileHandle(forReadingAtPath: path) == nil
        }.map { key, path in "\(key): the file \(path) cannot be read." }
    }
}

extension DataOptions {
    /// Returns why neither the page nor the broker could use the certificate with which phones are
    /// served.
    ///
    /// - Parameter name: the name under which they are served; nil if they are not.
    fileprivate func faultsOfCertificate(for name: String?) -> [String] {
        guard let name else { return [] }
        do {
            try Web.check(try PhoneAccess(name: name, data: data).files)
            return []
        } catch {
            return ["\(error)"]
        }
    }
}
