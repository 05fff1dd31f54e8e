import CIndexStore
import Foundation
import Testing

/// A place in Sources that uses a declaration of Swift's standard library.
struct Use: Hashable, Comparable {
    /// Below Sources.
    var file: String
    var line: UInt32
    /// The declaration, with overloads distinguished: a mangled name, as in the compiler's index.
    var usr: String

    static func < (left: Use, right: Use) -> Bool {
        (left.file, left.line) < (right.file, right.line)
    }
}

/// The compiler's index of the sources, made while building. Unlike a text search, it has the types
/// of converted values.
enum IndexStore {
    private final class Uses {
        var all: Set<Use> = []
    }

    private static let sources =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Sources/"

    /// All uses of declarations whose name matches.
    static func uses(of pattern: Regex<Substring>) throws -> [Use] {
        try all().filter { $0.usr.wholeMatch(of: pattern) != nil }.sorted()
    }

    /// All uses in files that still exist.
    static func all() throws -> Set<Use> {
        let uses = Uses()
        let isRead = index_store_read(
            try library(), program.appending(path: "index/store").path,
            Unmanaged.passUnretained(uses).toOpaque()
        ) { context, usr, file, line in
            guard let context, let usr, let file else { return }
            let path = String(cString: file)
            guard path.hasPrefix(IndexStore.sources), access(path, R_OK) == 0 else { return }
            Unmanaged<Uses>.fromOpaque(context).takeUnretainedValue().all.insert(
                Use(
                    file: String(path.dropFirst(IndexStore.sources.count)), line: line,
                    usr: String(cString: usr)))
        }
        try #require(isRead, "The build has no index: it is one without -index-store-path.")
        return uses.all
    }

    /// The directory of the products, with this bundle.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    private static func library() throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let compilers = path.split(separator: ":").map { "\($0)/swift" }
        let found = try #require(
            compilers.first(where: FileManager.default.isExecutableFile(atPath:)),
            "swift is not in PATH")
        return URL(fileURLWithPath: found).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "lib/libIndexStore.so").path
    }
}
