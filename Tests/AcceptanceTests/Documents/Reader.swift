import Foundation
import Testing

/// A user who reads the documents from the first page on, and types the commands literally into
/// one terminal; those that do not end go into another one.
struct Reader {
    /// A copy of the project, as far as the commands touch it; the tested build is where `swift
    /// build` puts it.
    let checkout: String
    let environment: [String: String]

    /// - Parameter directory: an empty one.
    init(in directory: String, port: UInt16) throws {
        let files = FileManager.default
        let build = URL(fileURLWithPath: Program.kith).deletingLastPathComponent().path
        func make(_ path: String, _ text: String, isProgram: Bool = false) throws {
            let file = directory + "/" + path
            let parent = URL(fileURLWithPath: file).deletingLastPathComponent()
            try files.createDirectory(at: parent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            if isProgram {
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
            }
        }
        checkout = directory + "/kith"
        try files.createDirectory(
            atPath: checkout + "/.build", withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: checkout + "/.build/release", withDestinationPath: build)
        for name in ["tools", "docs", "demo", "broker-config", "pages"] {
            try files.createSymbolicLink(
                atPath: checkout + "/" + name,
                withDestinationPath: Document.project + "/" + name)
        }
        // The build under test exists already.
        try make(
            "bin/swift",
            """
            #!/bin/sh
            case "$*" in
                "build --show-bin-path") echo "\(build)" ;;
                "build "*) ;;
                *) exit 64 ;;
            esac

            """, isProgram: true)
        // The Python that has paho, whichever is first in the path.
        try files.createSymbolicLink(
            atPath: directory + "/bin/python3", withDestinationPath: "/usr/bin/python3")
        // Uses free ports; everything else is as the reader has it.
        for client in ["mosquitto_pub", "mosquitto_sub", "mosquitto_rr"] {
            try make("config/" + client, "-p \(port)\n")
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "PATH": "\(directory)/bin:\(path)", "XDG_CONFIG_HOME": directory + "/config",
            "KITH_BROKER_PORT": "\(port)", "KITH_WEB_PORT": "0", "PORT": "\(port)",
            // On a busy machine a build for debugging takes longer for a password than readers wait.
            "KITH_ACCOUNTS_PASSWORD_COST": "10",
        ]
    }

    /// What a reader waits to see in the terminal before going on, or before pressing Ctrl-C there.
    struct Look {
        let block: String
        let sight: String
        /// Nil: the terminal in which the reader types.
        var file: String?
        var isElsewhere = false
    }

    /// - Parameter looks: by the beginnings of the blocks.
    func script(_ blocks: [Document.Block], _ looks: [Look]) -> String {
        var lines = [
            "set -mE", "exec > seen.txt 2> complaints.txt",
            #"trap 'echo "failed in $block: $BASH_COMMAND" >> failed.txt' ERR"#,
            #"look() { for _ in {1..1200}; do grep -qs "$1" "$2" && return; sleep 0.1; done; "#
                + #"echo "not seen in $block: $1" >> failed.txt; }"#,
        ]
        for (number, block) in blocks.enumerated() {
            let look = looks.first { block.text.contains($0.block) }
            lines.append("block='\(block.document) \(number)'; echo \"--- $block\"")
            if let look, look.isElsewhere {
                let other = "other-\(number).txt"
                lines += [
                    "{", block.text, "} > \(other) 2>&1 &",
                    "other=$!; look '\(look.sight)' \(other)",
                    "kill -INT -- -$other; wait $other || true",
                ]
            } else {
                lines.append(block.text)
                if let look { lines.append("look '\(look.sight)' \(look.file ?? "seen.txt")") }
            }
        }
        lines.append("trap - ERR; kill $(jobs -p); wait")
        return lines.joined(separator: "\n")
    }
}
