import Bridge
import Clocks
import Contract
import Foundation
import LocalBroker
import OperatorTools
import Tracking
import Transfer
import Web

extension DataOptions {
    /// Returns the installation's condition, for `kith doctor` including slow checks; with the
    /// usual settings if the configuration cannot be read.
    func condition(thoroughly: Bool = false) async -> Condition {
        var complaint: String?
        var (bridgeSettings, web) = (BridgeSettings(), WebSettings())
        do {
            bridgeSettings = try await settings()
            web = try await webSettings()
        } catch {
            complaint = "The configuration cannot be used"
        }
        let bridge = Condition.Bridge(on: databasePath)
        if let port = bridge?.port("--port") { bridgeSettings.broker.port = Int32(port) }
        web.follow(bridge, data: data)
        let hasPhones = bridge?.phonesName != nil
        if hasPhones { web.sendsLinks = bridgeSettings.channels.mail != nil }
        let server = web.server
        // With --for-phones it speaks TLS.
        async let isOther = hasPhones ? false : DataOptions.isOther(at: server)
        let plugin: String?
        do { plugin = try GateLibrary.find() } catch { plugin = nil }
        var condition = Condition(
            now: .now, program: Condition.Build(version: kithVersion, commit: kithCommit),
            directory: Condition.DataDirectory(data),
            database: bridgeSettings.databaseServer.map {
                Condition.Database(onServer: $0, databasePath)
            }
                ?? Condition.Database(databasePath, isInUse: bridge != nil), bridge: bridge,
            broker: await Condition.Broker(
                bridgeSettings, besides: databasePath,
                ports: hasPhones ? PhoneAccess.phonePorts : [], hasBridge: bridge != nil),
            page: Condition.Page(
                address: web.server.origin ?? web.address(web.server.port),
                isListening: Listening.isSomebody(at: web.server.address, web.server.port),
                isPublic: PublicAddress.isPublic(web.server.origin)),
            certificate: nil,
            settings: Condition.Settings(
                registration: bridgeSettings.accounts.registration, sendsMail: web.sendsLinks,
                warnBelow: bridgeSettings.disk.warnBelow, complaint: complaint),
            machine: Condition.Machine(
                needsMosquitto: ["127.0.0.1", "::1", "localhost"].contains(
                    bridgeSettings.broker.host),
                plugin: plugin, loads: thoroughly),
            lastBackup: LastBackup(besides: databasePath).time)
        if bridgeSettings.databaseServer == nil {
            condition.database?.lookForWriters(databasePath, besides: bridge?.process)
        }
        if let (name, process) = Listening.program(on: web.server.port) {
            condition.page.isOther = !name.hasPrefix("kith")
            if condition.page.isOther { condition.page.other = "\(name) (\(process))" }
        } else {
            condition.page.isOther = await isOther
        }
        if complaint == nil {
            for fault in Web.faults(web) {
                condition.settings.faults[fault.concern] = String(fault.description.dropLast())
            }
        }
        condition.isPackaged = data == "/var/lib/kith" && access("/usr/sbin/kithctl", X_OK) == 0
        condition.isLastBackupUnreadable =
            condition.lastBackup == nil
            && FileManager.default.fileExists(atPath: "\(data)/last-backup")
        let ports =
            hasPhones
            ? PhoneAccess.phonePorts + [web.server.port]
            : web.phones.tls ? [web.phones.port ?? PhoneAccess.phonePorts[0]] : []
        condition.lookAtCertificate(
            "\(data)/certificates/server.crt",
            phonesName: bridge?.phonesName ?? (web.phones.tls ? web.phones.host : nil),
            servedOn: bridge == nil ? [] : ports)
        return condition
    }

    /// Returns whether another program answers at the page's address. TLS is not examined.
    private static func isOther(at server: WebSettings.Server) async -> Bool {
        guard server.certificate == nil, server.port != 0 else { return false }
        let names = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        let name = names[server.address] ?? server.address
        let host = name.contains(":") ? "[\(name)]" : name
        do {
            let request = try HTTPRequest(
                .get, to: Endpoint("http://\(host):\(server.port)/config.json"), addresses: .any,
                limits: TransferLimits(connecting: .seconds(1), total: .seconds(2)))
            let answer = try await TransferClient().send(request)
            return !String(decoding: answer.body, as: UTF8.self).contains(#""root":"#)
        } catch {
            return [.protocolViolation, .brokenOff].contains(error)
        }
    }
}
