internal import CVersion

/// The version of Kith: the newest one of CHANGELOG.md.
public let kithVersion = "0.1.0"

/// The source commit, from `KITH_COMMIT` at build time: `abc1234, 2026-11-24`. Nil in a development
/// build.
public var kithCommit: String? {
    let text = String(cString: kith_commit())
    return text.isEmpty ? nil : text
}

/// Both, for people: `0.1.0 (abc1234, 2026-11-24)`.
public var kithVersionText: String { "\(kithVersion) (\(kithCommit ?? "development"))" }
