import Archive
import ArgumentParser
import Bridge
import Clocks
import Contract
import Export
import ExportFiles
import Glibc
import Store
import SystemPackage
import Tracking

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is stored about a user to a ZIP file.",
        discussion: """
            The bridge can keep running. The ZIP file contains JSON, GeoJSON and GPX; its \
            README.txt describes the files.
            """)

    @Argument(help: "The user's name.")
    var user: Name

    @Option(help: "The file to write; - for standard output. Default: USER.zip.")
    var output: String?

    @OptionGroup var options: DataOptions

    func run() async throws {
        let database = try await options.databaseThatIsThere()
        let settings = try await options.settings()
        let now = Timestamp.now
        do {
            let keys =
                try settings.sealingKeys ?? SealingKeyFile(besides: options.databasePath).read()
            let export = try Export(
                of: user, in: try store(in: database), settings.rules, keys: keys)
            try await write(export, at: now)
        } catch let error as ExportError {
            throw Complaint(error.description)
        } catch let error as ArchiveError {
            throw Complaint(error.description)
        }
    }

    private func store(in database: DatabaseAddress) throws(ExportError) -> Store {
        do throws(StoreError) {
            let store = try Store.openReadOnly(database)
            try store.checkVersion()
            return store
        } catch {
            throw .store(error)
        }
    }

    private func write(_ export: Export, at now: Timestamp) async throws {
        let path = output ?? "\(user).zip"
        guard path != "-" else {
            return try await ExportArchive(of: export, at: now) {
                try FileDescriptor.standardOutput.put($0)
            }.write()
        }
        let file = try ExportFile(path)
        do {
            try await ExportArchive(of: export, at: now) { try file.descriptor.put($0) }.write()
            try file.keep()
        } catch {
            file.discard()
            throw error
        }
    }
}

/// A file readable only by its owner, which appears under its name when it is complete. Anything
/// that is not a regular file, such as a pipe, is written to directly.
private struct ExportFile {
    let descriptor: FileDescriptor
    private let path: String
    /// The path while it is incomplete; nil if it is not a regular file.
    private let part: String?

    init(_ path: String) throws(ArchiveError) {
        self.path = path
        part = ExportFile.isSpecial(path) ? nil : "\(path).part"
        do {
            descriptor =
                if let part {
                    try FileDescriptor.open(
                        part, .writeOnly, options: [.create, .truncate],
                        permissions: [.ownerReadWrite])
                } else {
                    try FileDescriptor.open(path, .writeOnly, options: .truncate)
                }
        } catch {
            throw ArchiveError("\(path) cannot be created")
        }
    }

    /// Also true for links: their target is written to and the link stays.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    func keep() throws(ArchiveError) {
        do {
            try descriptor.close()
        } catch {
            throw ArchiveError("\(path) cannot be created")
        }
        guard let part else { return }
        guard rename(part, path) == 0 else {
            throw ArchiveError("\(path) cannot be created")
        }
    }

    func discard() {
        guard let part else { return }
        unlink(part)
    }
}

extension FileDescriptor {
    fileprivate func put(_ bytes: [UInt8]) throws(ArchiveError) {
        do {
            try writeAll(bytes)
        } catch {
            throw ArchiveError("the disk is full, or the output is no longer read")
        }
    }
}
