import Foundation

/// A module of the page, as far as the rules for it need it.
struct PageModule {
    /// From the folder `js`: `views/members.js`.
    let path: String
    let lines: [Substring]
    /// Without comments.
    let code: String
    /// Also without quoted text.
    let bare: String
    private(set) var imports: [(name: String, alias: String, path: String)] = []
    let exports: [String]
    /// The modules that it loads when they are needed, and the names that it may take from them.
    private(set) var later: [String] = []
    private var taken: [String] = []

    /// Lines of a module at most.
    static let longest = 300

    init(_ path: String, _ text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        code = text.replacing(#/(?m)^\s*//.*$/#, with: "")
        bare = code.replacing(#/"[^"\n]*"/#, with: "\"\"")
        exports = code.matches(of: #/(?m)^export (?:async )?(?:function\*?|class|const|let) (\w+)/#)
            .map { String($0.1) }
        for found in code.matches(of: #/import\s*\{([^}]*)\}\s*from\s*"([^"]+)"/#) {
            for name in found.1.split(separator: ",") {
                let words = name.split { $0.isWhitespace }.map(String.init)
                guard let original = words.first, let alias = words.last else { continue }
                imports.append((original, alias, resolve(found.2)))
            }
        }
        for found in code.matches(of: #/import \* as (\w+) from "([^"]+)"/#) {
            let name = String(found.1)
            for use in bare.matches(of: #/(\w+)\.(\w+)/#) where use.1 == name {
                imports.append((String(use.2), name, resolve(found.2)))
            }
            // A view is passed on as a whole.
            imports.append(("mount", name, resolve(found.2)))
        }
        later = code.matches(of: #/\bimport\("(\.[^"]+)"\)/#).map { resolve($0.1) }
        taken = code.matches(of: #/const \{([^}]*)\} = /#)
            .flatMap { $0.1.split { !$0.isLetter } }.map(String.init)
        imports.removeAll { $0.path.hasPrefix("/") }
    }

    /// The path of what it imports, from the folder `js`; with a slash if that is not a module of
    /// the page.
    private func resolve(_ target: Substring) -> String {
        if target.hasPrefix("/js/") { return String(target.dropFirst(4)) }
        guard target.hasPrefix(".") else { return String(target) }
        var levels = path.split(separator: "/").dropLast()
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { levels = levels.dropLast() } else { levels.append(part) }
        }
        return levels.joined(separator: "/")
    }

    /// How often a name occurs in it.
    private func uses(of name: String) -> Int {
        code.matches(of: #/[A-Za-z_$][\w$]*/#).count { $0.0 == name }
    }

    // MARK: Rules

    /// The modules' faults, a line each.
    static func complaints(about modules: [PageModule], testedBy tests: [PageModule]) -> [String] {
        let exports = Dictionary(uniqueKeysWithValues: modules.map { ($0.path, $0.exports) })
        let wanted = Set(
            (modules + tests).flatMap(\.imports).map { "\($0.path) \($0.name)" }
                + modules.flatMap { module in
                    module.later.flatMap { path in module.taken.map { "\(path) \($0)" } }
                })
        let idle = modules.flatMap { module in
            module.exports.filter { !wanted.contains("\(module.path) \($0)") }
                .map { "\(module.path) exports \($0) for nobody" }
        }
        return Set(modules.flatMap { $0.complaints(exports) } + idle).sorted()
    }

    private func complaints(_ exports: [String: [String]]) -> [String] {
        var found = imports.compactMap { name, alias, path -> String? in
            guard let offered = exports[path] else { return "imports \(path), which is not there" }
            if offered.contains(name) || name == "mount" { return nil }
            return "imports \(name), which \(path) has not"
        }
        found += imports.filter { uses(of: $0.alias) < 2 }.map { "imports \($0.alias) for nothing" }
        if lines.count > PageModule.longest { found.append("has \(lines.count) lines") }
        if bare.contains(#/(?:^|[^\w.])var /#) { found.append("has a var") }
        if bare.contains(#/[^=!]==[^=]|!=[^=]/#) { found.append("compares loosely") }
        if lines.first?.hasPrefix("/// ") != true { found.append("does not say what it is for") }
        return found.map { "\(path) \($0)" }
            + lines.enumerated().filter { $1.contains(#/\bconsole\.|\bdebugger\b/#) }
            .map { "\(path):\($0.offset + 1) speaks to a developer" }
    }
}
