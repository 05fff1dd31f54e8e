import Foundation
import TestSupport

/// A disk of 24 MiB with an installation's data, which can be filled up.
struct SmallDisk {
    let path: String

    /// The reserve for calls for help, in MiB.
    static let reserve = 4

    /// With a file unknown to Kith.
    func fill() async throws {
        _ = try await Program.run(
            "dd", ["if=/dev/zero", "of=\(path)/ballast-\(UUID())", "bs=4096"])
    }

    func empty() throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: path)
        where file.hasPrefix("ballast") {
            try FileManager.default.removeItem(atPath: "\(path)/\(file)")
        }
    }

    /// Waits until the whole reserve for calls for help exists.
    func hasReserve() async throws {
        let file = path + "/kith.db.reserve"
        _ = try await eventually("a reserve") {
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            return size == SmallDisk.reserve << 20 ? true : nil
        }
    }
}

/// Runs `body` with an installation on a small disk; nothing if none can be made.
func withSmallDisk(
    _ settings: [String: String] = [:],
    _ body: (_ installation: Installation, _ disk: SmallDisk) async throws -> Void
) async throws {
    try await withInstallation(settings) { installation in
        let disk = SmallDisk(path: installation.directory)
        let mounted = try await Program.run(
            "mount", ["-t", "tmpfs", "-o", "size=24m,mode=700", "kith-test", disk.path])
        // Containers may not mount, even as root.
        guard mounted.status == 0 else {
            return print("Skipped: no small disk can be made here.")
        }
        do {
            try await body(installation, disk)
            await installation.end()
            try await Program.succeed("umount", ["--lazy", disk.path])
        } catch {
            await installation.end()
            try await Program.succeed("umount", ["--lazy", disk.path])
            throw error
        }
    }
}
