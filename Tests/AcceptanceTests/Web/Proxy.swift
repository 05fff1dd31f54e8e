import Foundation
import Glibc
import TestBroker
import TestServers
import TestSupport
import Testing

/// One of Debian's proxies in front of a page, configured as in docs/proxies.md.
enum Proxy: String, CaseIterable, Sendable {
    case nginx, caddy, apache

    /// The name in the document.
    static let name = "kith.example.org"

    private var program: String {
        switch self {
        case .nginx: "/usr/sbin/nginx"
        case .caddy: "/usr/bin/caddy"
        case .apache: "/usr/sbin/apache2"
        }
    }

    private var package: String { self == .apache ? "apache2" : rawValue }

    /// What only its block of the document has.
    private var mark: String {
        switch self {
        case .nginx: "listen 443 ssl"
        case .caddy: "reverse_proxy"
        case .apache: "<VirtualHost *:443>"
        }
    }

    struct Ports: Sendable {
        let page: UInt16
        let http: UInt16
        let https: UInt16
        /// For listeners on IPv6, which not every machine has.
        let spare: [UInt16]
    }

    /// Runs `body` while the proxy runs, then ends the proxy.
    func run(_ ports: Ports, _ body: () async throws -> Void) async throws {
        try #require(
            access(program, X_OK) == 0, "needs Debian's package \(package): tools/test installs it")
        let blocks = try Document("docs/proxies.md").blocks
        let block = try #require(blocks.first { $0.language.isEmpty && $0.text.contains(mark) })
        try await withTemporaryDirectory { directory in
            // It works as a user of its own.
            try #require(chmod(directory, 0o755) == 0)
            let (certificate, key) = try await makeCertificate(in: directory)
            let site = block.text.replacing("127.0.0.1:8080", with: "127.0.0.1:\(ports.page)")
            let server =
                switch self {
                case .nginx: try startNginx(in: directory, site, ports, certificate, key)
                case .caddy: try startCaddy(in: directory, site, ports)
                case .apache: try startApache(in: directory, site, ports, certificate, key)
                }
            do {
                _ = try await eventually("a proxy: \(server.lines)") { () -> Bool? in
                    if let ending = server.ending {
                        throw NothingHappened("\(ending) \(server.lines) \(log(in: directory))")
                    }
                    return try await isOpen(ports) ? true : nil
                }
                try await body()
            } catch {
                await server.kill()
                throw error
            }
            await server.kill()
        }
    }

    private func isOpen(_ ports: Ports) async throws -> Bool {
        let answer = try await Program.run(
            "curl",
            [
                "-sk", "-o", "/dev/null", "--resolve", "\(Proxy.name):\(ports.https):127.0.0.1",
                "https://\(Proxy.name):\(ports.https)/config.json",
            ])
        return answer.status == 0
    }

    private func log(in directory: String) -> String {
        (try? String(contentsOfFile: directory + "/error.log", encoding: .utf8)) ?? ""
    }

    private func write(_ text: String, _ name: String, in directory: String) throws -> String {
        let path = "\(directory)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// In one process, which leaves nothing behind when it is killed.
    private func startNginx(
        in directory: String, _ site: String, _ ports: Ports, _ certificate: String, _ key: String
    ) throws -> RunningProgram {
        let live = "/etc/letsencrypt/live/\(Proxy.name)"
        try #require(site.contains("\(live)/fullchain.pem") && site.contains("[::]:80;"))
        let path = try write(
            site.replacing("[::]:80", with: "127.0.0.1:\(ports.spare[0])")
                .replacing("[::]:443", with: "127.0.0.1:\(ports.spare[1])")
                .replacing("listen 80", with: "listen 127.0.0.1:\(ports.http)")
                .replacing("listen 443", with: "listen 127.0.0.1:\(ports.https)")
                .replacing("\(live)/fullchain.pem", with: certificate)
                .replacing("\(live)/privkey.pem", with: key),
            "site.conf", in: directory)
        // Debian's own, around it.
        let main = try String(contentsOfFile: "/etc/nginx/nginx.conf", encoding: .utf8)
        let sites = "include /etc/nginx/sites-enabled/*;"
        try #require(main.contains(sites))
        let configuration = try write(
            main.replacing(sites, with: "include \(path);")
                .replacing("/var/log/nginx", with: directory)
                .replacing("/run/nginx.pid", with: directory + "/pid"),
            "nginx.conf", in: directory)
        return RunningProgram(
            program,
            [
                "-c", configuration, "-e", directory + "/error.log",
                "-g", "daemon off; master_process off;",
            ])
    }

    /// With an authority of its own in place of the public one.
    private func startCaddy(
        in directory: String, _ site: String, _ ports: Ports
    ) throws -> RunningProgram {
        let authority = "acme_ca https://acme-v02.api.letsencrypt.org/directory"
        try #require(site.contains(authority))
        let configuration = try write(
            site.replacing(
                authority,
                with: """
                    local_certs
                    skip_install_trust
                    admin off
                    http_port \(ports.http)
                    https_port \(ports.https)
                    """),
            "Caddyfile", in: directory)
        return RunningProgram(
            program, ["run", "--config", configuration],
            environment: [
                "HOME": directory, "XDG_DATA_HOME": directory, "XDG_CONFIG_HOME": directory,
            ])
    }

    /// Also in one process, with the modules that Debian has on and those that the document adds.
    private func startApache(
        in directory: String, _ site: String, _ ports: Ports, _ certificate: String, _ key: String
    ) throws -> RunningProgram {
        let domain = "MDomain \(Proxy.name)\n"
        try #require(site.contains(domain))
        let path = try write(
            site.replacing(
                domain,
                with: """
                    <MDomainSet \(Proxy.name)>
                        MDCertificateFile \(certificate)
                        MDCertificateKeyFile \(key)
                    </MDomainSet>

                    """
            )
            .replacing("*:80>", with: "*:\(ports.http)>")
            .replacing("*:443>", with: "*:\(ports.https)>"),
            "site.conf", in: directory)
        let commands = try Document("docs/proxies.md").blocks.first { $0.text.contains("a2enmod ") }
        let added = try #require(commands?.text.firstMatch(of: /(?m)^a2enmod (.+)$/)?.1)
        // What `a2enmod` determines by itself.
        let modules = ["socache_shmcb", "proxy"] + added.split(separator: " ").map(String.init)
        let configuration = try write(
            """
            ServerRoot /etc/apache2
            ServerName localhost
            DefaultRuntimeDir \(directory)
            PidFile \(directory)/pid
            ErrorLog \(directory)/error.log
            User www-data
            Group www-data
            IncludeOptional mods-enabled/*.load
            IncludeOptional mods-enabled/*.conf

            """ + modules.map { "Include mods-available/\($0).load\n" }.joined()
                + """
                Include mods-available/ssl.conf
                MDStoreDir \(directory)/md
                MDPortMap http:\(ports.http) https:\(ports.https)
                Listen 127.0.0.1:\(ports.http)
                Listen 127.0.0.1:\(ports.https)
                Include \(path)

                """,
            "apache2.conf", in: directory)
        let variables = ["APACHE_RUN_DIR", "APACHE_LOG_DIR", "APACHE_LOCK_DIR"]
        return RunningProgram(
            program, ["-X", "-f", configuration],
            environment: Dictionary(uniqueKeysWithValues: variables.map { ($0, directory) }))
    }
}
