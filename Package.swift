// swift-tools-version: 6.2
import PackageDescription

/// Swift 6 mode, warnings are errors, and the upcoming features that make imports and
/// existentials explicit.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
]

/// Optimized even in debug builds: otherwise the tests take several times as long.
let optimized: [SwiftSetting] = common + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The commit that `kith --version` shows, as a C string. Packagers set `KITH_COMMIT`, such as to
/// `abc1234, 2026-11-24`. Nil for development.
let commit = Context.environment["KITH_COMMIT"].flatMap { text in
    let isPlain = text.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || " ,.-".contains($0))
    }
    precondition(isPlain, "KITH_COMMIT is a commit and a date")
    return text.isEmpty ? nil : "\"\(text)\""
}

/// The folders of `Sources` that hold whole modules. docs/source.md describes them.
let groups: KeyValuePairs = [
    "Core": [
        "Anonymity", "EarlyWarning", "Gazetteer", "Languages", "Limits", "Numbers", "Racing",
        "Schedules", "Tracking",
    ],
    "Formats": [
        "Archive", "Base64", "CArchive", "CExpat", "CQREncode", "JSON", "Mail", "MapTiles",
        "QRCode", "Sealing", "WebAuthn", "WebPush", "Webhooks", "XML",
    ],
    "Service": [
        "Bridge", "CMalloc", "CPostgreSQL", "CVersion", "Contract", "Export", "ExportFiles", "Gate",
        "HomeAssistant", "OperatorTools", "Store",
    ],
    "Edges": [
        "CCurl", "CLDAP", "CMosquitto", "CMosquittoBroker", "Clocks", "Directory", "KithGate",
        "LocalBroker", "MQTT", "ProcessFigures", "Settings", "Supervision", "Transfer", "Web",
    ],
    "Programs": ["fake-gps", "kith", "kith-dev"],
    "Laboratory": ["Authenticator", "Bench", "FakeGPS", "Simulation", "Specifications"],
]

/// The folders in `Sources/Areas`, and the modules to which each contributes.
let areas: KeyValuePairs = [
    "Accounts": ["Bridge", "Contract", "Simulation", "Store"],
    "Channels": ["Bridge", "Contract", "Simulation", "Store"],
    "Chat": ["Bridge", "Contract", "Simulation", "Store"],
    "Cohorts": ["Bridge", "Contract", "Simulation", "Store"],
    "Dispatch": ["Bridge", "Contract", "Simulation", "Store"],
    "Emergencies": ["Bridge", "Contract", "Simulation", "Store"],
    "Friends": ["Bridge", "Contract", "Simulation", "Store"],
    "Geofences": ["Bridge", "Contract", "Simulation", "Store"],
    "Groups": ["Bridge", "Contract", "Simulation", "Store"],
    "History": ["Bridge", "Contract", "Simulation", "Store"],
    "Invitations": ["Bridge", "Contract", "Simulation", "Store"],
    "ShareLinks": ["Bridge", "Contract", "Simulation", "Store"],
    "Journeys": ["Bridge", "Contract", "Simulation", "Store"],
    "Maintenance": ["Bridge", "Contract", "Simulation", "Store"],
    "Monitoring": ["Bridge", "Contract", "Simulation", "Store"],
    "Notices": ["Bridge", "Contract", "Simulation", "Store"],
    "OwnTracks": ["Bridge", "Contract", "Simulation"],
    "Places": ["Bridge", "Contract", "Simulation", "Store"],
    "Reminders": ["Bridge", "Contract", "Simulation", "Store"],
    "Runs": ["Bridge", "Contract", "Simulation", "Store"],
    "Services": ["Bridge", "Contract", "Simulation", "Store"],
    "Vitals": ["Bridge", "Contract", "Simulation", "Store"],
]

let package = Package(
    name: "kith",
    products: [
        .executable(name: "kith", targets: ["kith"]),
        // Simulator, benchmarks, and the tables that documents repeat; not installed.
        .executable(name: "kith-dev", targets: ["kith-dev"]),
        .executable(name: "fake-gps", targets: ["fake-gps"]),
        // The plugin that Mosquitto loads: libKithGate.so.
        .library(name: "KithGate", type: .dynamic, targets: ["KithGate"]),
        // The fuzz targets that Fuzz/, a separate package, drives.
        .library(name: "Fuzzing", targets: ["Fuzzing"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(
            url: "https://github.com/apple/swift-configuration", exact: "1.4.0",
            traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1",
            traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        // The system library: a module map and a shim, no logic.
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto",
            providers: [.apt(["libmosquitto-dev"])]),

        // The only Swift wrapper of libmosquitto.
        .target(
            name: "MQTT", dependencies: ["CMosquitto"],
            swiftSettings: optimized + [.strictMemorySafety()]),

        // Number conversions that never trap.
        .target(name: "Numbers", swiftSettings: optimized),

        // JSON (RFC 8259), parsed to values and written member by member.
        .target(name: "JSON", swiftSettings: optimized),

        // Token buckets, rate limits and back-offs.
        .target(name: "Limits", swiftSettings: optimized),

        // The pure core: events and the time in, effects out.
        .target(
            name: "Tracking",
            dependencies: [
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "RealModule", package: "swift-numerics"),
            ],
            swiftSettings: optimized),

        // Cohorts: k, noise, and what earlier answers have revealed.
        .target(name: "Anonymity", swiftSettings: optimized),

        // Runners' progress along a course, and their order.
        .target(
            name: "Racing",
            dependencies: [
                "Tracking", .product(name: "RealModule", package: "swift-numerics"),
            ],
            swiftSettings: optimized),

        // Vital signs that call for help: the score, and the people to ask and call.
        .target(name: "EarlyWarning", dependencies: ["Tracking"], swiftSettings: optimized),

        // Times by people's clocks: recurrences (RFC 5545), and opening hours as OpenStreetMap
        // writes them.
        .target(name: "Schedules", dependencies: ["Tracking"], swiftSettings: optimized),

        // The texts of the page and the server, in each language.
        .target(name: "Languages", dependencies: ["JSON", "Tracking"], swiftSettings: optimized),

        // Topics and payloads: the contract with the outside world.
        .target(
            name: "Contract",
            dependencies: [
                "Anonymity", "Base64", "CVersion", "EarlyWarning", "Gazetteer", "JSON", "Languages",
                "Racing", "Schedules", "Tracking", "WebPush",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: optimized),

        // The server's clock, for code that makes no decisions.
        .target(name: "Clocks", dependencies: ["Tracking"], swiftSettings: optimized),

        // The kernel's figures about a process.
        .target(name: "ProcessFigures", swiftSettings: common),

        // The system library, and the only Swift wrapper of libqrencode: QR codes, for terminals.
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "QRCode", dependencies: ["CQREncode"],
            swiftSettings: common + [.strictMemorySafety()]),

        // Reads a configuration with its bounds.
        .target(
            name: "Settings",
            dependencies: [
                "Yams", .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: common),

        // Encryption of stored data.
        .target(
            name: "Sealing",
            dependencies: ["Base64", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: optimized),

        // The system library, loaded when needed: libpq.
        .target(name: "CPostgreSQL"),

        // Schema and queries.
        .target(
            name: "Store",
            dependencies: [
                "Base64", "CPostgreSQL", "Contract", "EarlyWarning", "JSON", "Languages", "Racing",
                "Schedules",
                "Sealing", "Tracking",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: optimized),

        // The system library, and the only Swift wrapper of libcurl: HTTP and mail, to permitted
        // addresses.
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "Transfer",
            dependencies: [
                "CCurl", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: optimized + [.strictMemorySafety()]),

        // The system library, and the only Swift wrapper of libexpat: XML from untrusted sources.
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(
            name: "XML", dependencies: ["CExpat"],
            swiftSettings: optimized + [.strictMemorySafety()]),

        // The system library, loaded when needed, and the only Swift wrapper of libldap: an
        // organisation's directory.
        .target(name: "CLDAP"),
        .target(
            name: "Directory", dependencies: ["CLDAP"],
            swiftSettings: optimized + [.strictMemorySafety()]),

        // Bytes as text (RFC 4648).
        .target(name: "Base64", swiftSettings: optimized),

        // Passkeys: verification of authenticators' responses.
        .target(
            name: "WebAuthn",
            dependencies: [
                "Base64", "JSON", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: optimized),

        // The authenticator's side, for tests and the simulation.
        .target(
            name: "Authenticator",
            dependencies: [
                "Base64", "JSON", "WebAuthn", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: optimized),

        // Messages to people, as bytes: encrypted for a browser …
        .target(
            name: "WebPush",
            dependencies: ["Base64", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: optimized),

        // … signed for a webhook's owner …
        .target(
            name: "Webhooks",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: optimized),

        // … and written as mail.
        .target(name: "Mail", swiftSettings: optimized),

        // Functions of glibc that Swift's Glibc module lacks.
        .systemLibrary(name: "CMalloc"),

        // The commit that the program was built from.
        .target(name: "CVersion", cSettings: commit.map { [.define("KITH_COMMIT", to: $0)] } ?? []),

        // The turn: read, decide, commit, publish.
        .target(
            name: "Bridge",
            dependencies: [
                "Anonymity", "Base64", "CMalloc", "Clocks", "Contract", "Directory",
                "EarlyWarning", "Gazetteer", "JSON", "Languages", "Limits", "MQTT", "Mail",
                "ProcessFigures", "Racing", "Schedules", "Sealing", "Settings", "Store", "Tracking",
                "Transfer",
                "WebAuthn", "WebPush",
                "Webhooks",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: optimized),

        // The operator commands' work on the database.
        .target(
            name: "OperatorTools",
            dependencies: [
                "Bridge", "Clocks", "Contract", "JSON", "MQTT", "Store", "Tracking",
            ],
            swiftSettings: common),

        // The system library, and the only Swift wrapper of libarchive.
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .target(
            name: "Archive", dependencies: ["CArchive", "Tracking"],
            swiftSettings: common + [.strictMemorySafety()]),

        // The files of an export, from any source of items …
        .target(
            name: "ExportFiles",
            dependencies: [
                "Archive", "Contract", "JSON", "Tracking",
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: common),

        // … and the database as that source.
        .target(
            name: "Export",
            dependencies: ["Contract", "ExportFiles", "Sealing", "Store", "Tracking"],
            swiftSettings: common),

        // Access control, decided inside the broker …
        .target(
            name: "Gate",
            dependencies: [
                "Contract", "Limits", "Tracking",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: optimized),

        // … and the plugin around it, which translates the broker's queries.
        .systemLibrary(name: "CMosquittoBroker", providers: [.apt(["mosquitto-dev"])]),
        .target(
            name: "KithGate",
            dependencies: [
                "CMosquittoBroker", "Contract", "Gate", "ProcessFigures", "Sealing", "Store",
                "Tracking",
            ],
            swiftSettings: common + [.strictMemorySafety()],
            // Mosquitto unloads its plugins when it ends, while threads of Swift's libraries
            // still run in them: without this one shutdown in four crashes.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "nodelete"])]),

        // The tiles of a map, out of an MBTiles file.
        .target(
            name: "MapTiles", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: common),

        // Cities by position, to describe a position in words.
        .target(name: "Gazetteer", dependencies: ["Tracking"], swiftSettings: optimized),

        // Pages, requests and events for browsers: over MQTT, with each visitor's own token.
        .target(
            name: "Web",
            dependencies: [
                "Base64", "Clocks", "Contract", "ExportFiles", "JSON", "Limits", "MQTT", "MapTiles",
                "ProcessFigures", "Settings", "Tracking", "WebAuthn", "XML",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: common),

        // Child processes that are restarted when they end, and never outlive their owner …
        .target(
            name: "Supervision",
            dependencies: [
                "Limits",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: common),

        // … and Mosquitto as one of them.
        .target(
            name: "LocalBroker",
            dependencies: [
                "Supervision",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: common),

        // Invented and replayed phones.
        .target(
            name: "FakeGPS",
            dependencies: [
                "Archive", "Clocks", "Contract", "JSON", "Limits", "MQTT", "Racing", "Tracking",
                "XML",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: optimized),

        // Measurements, side by side in one run.
        .target(
            name: "Bench",
            dependencies: [
                "Anonymity", "Bridge", "Clocks", "Contract", "JSON", "Limits", "LocalBroker",
                "MQTT", "Racing", "Sealing", "Store", "Tracking",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: common),

        // A whole installation in one thread, and everything that can go wrong with it.
        .target(
            name: "Simulation",
            dependencies: [
                "Anonymity", "Authenticator", "Base64", "Bridge", "Clocks", "Contract",
                "EarlyWarning", "Gate", "JSON", "Limits", "MQTT", "Racing", "Sealing", "Store",
                "Tracking", "Transfer", "WebAuthn",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: optimized),

        // A group as Home Assistant discovers it.
        .target(
            name: "HomeAssistant",
            dependencies: [
                "JSON", "MQTT", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common),

        // Machine-readable descriptions of topics, methods and routes: AsyncAPI and OpenAPI.
        .target(
            name: "Specifications", dependencies: ["Contract", "Tracking", "Web", "Yams"],
            swiftSettings: common),

        .executableTarget(
            name: "kith",
            dependencies: [
                "Archive", "Bridge", "Clocks", "Contract", "Export", "ExportFiles",
                "FakeGPS", "Gazetteer", "HomeAssistant", "JSON", "Languages", "LocalBroker", "MQTT",
                "MapTiles",
                "OperatorTools", "QRCode", "Sealing", "Settings", "Store",
                "Supervision", "Tracking", "Transfer", "Web",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: common),
        .executableTarget(
            name: "kith-dev",
            dependencies: [
                "Bench", "Bridge", "Contract", "FakeGPS", "JSON", "Languages", "LocalBroker",
                "MQTT",
                "Simulation", "Specifications", "Tracking",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),
        .executableTarget(
            name: "fake-gps",
            dependencies: [
                "Clocks", "Contract", "FakeGPS", "MQTT", "Tracking",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: common),

        // What several test targets use, without starting processes.
        .target(
            name: "TestSupport",
            dependencies: [
                "Contract", "Limits", "Store", "Tracking", "WebPush",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/TestSupport", swiftSettings: optimized),

        // A Mosquitto for each test, and its clients.
        .target(
            name: "TestBroker",
            dependencies: [
                "LocalBroker", "MQTT", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestBroker", swiftSettings: common),

        // Mail servers such as people use, and certificates for servers on loopback.
        .target(
            name: "TestServers",
            dependencies: [
                "TestBroker", "TestSupport",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/TestServers", exclude: ["Scripts"], swiftSettings: common),

        // Chromium, as a visitor uses it.
        .target(
            name: "Browser",
            dependencies: [
                "TestSupport", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Browser", swiftSettings: optimized),
        .testTarget(
            name: "BrowserTests", dependencies: ["Browser", "TestSupport"], swiftSettings: common),

        // The page's parts, each alone in a browser.
        .testTarget(
            name: "PageTests", dependencies: ["Browser"], exclude: ["Units"], swiftSettings: common),

        .testTarget(
            name: "SupervisionTests",
            dependencies: [
                "Supervision", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "LocalBrokerTests",
            dependencies: [
                "LocalBroker", "MQTT", "TestBroker", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "MQTTTests", dependencies: ["MQTT", "TestBroker", "TestSupport"],
            swiftSettings: common),
        .testTarget(
            name: "TrackingTests", dependencies: ["Store", "TestSupport", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "EarlyWarningTests", dependencies: ["Archive", "EarlyWarning", "Tracking"],
            swiftSettings: common),
        .testTarget(name: "XMLTests", dependencies: ["XML"], swiftSettings: common),
        .testTarget(name: "DirectoryTests", dependencies: ["Directory"], swiftSettings: common),
        // The same with a slapd on loopback, and with hostile servers.
        .testTarget(
            name: "DirectoryServerTests",
            dependencies: [
                "Directory", "TestServers",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Servers"], swiftSettings: common),
        .testTarget(
            name: "SchedulesTests", dependencies: ["Fuzzing", "Schedules", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "RacingTests", dependencies: ["FakeGPS", "Racing", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "AnonymityTests",
            dependencies: [
                "Anonymity", "Tracking", .product(name: "RealModule", package: "swift-numerics"),
            ],
            swiftSettings: common),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Tracking"], swiftSettings: common),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: common),
        .testTarget(name: "SettingsTests", dependencies: ["Settings"], swiftSettings: common),
        .testTarget(name: "LimitsTests", dependencies: ["Limits"], swiftSettings: common),
        .testTarget(name: "TransferTests", dependencies: ["Transfer"], swiftSettings: common),
        // The same with servers on loopback, good and bad ones.
        .testTarget(
            name: "TransferServerTests",
            dependencies: [
                "Mail", "TestBroker", "TestServers", "TestSupport", "Transfer",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Servers"], swiftSettings: common),
        .testTarget(
            name: "WebPushTests",
            dependencies: [
                "TestSupport", "WebPush", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "WebAuthnTests",
            dependencies: [
                "Authenticator", "Base64", "WebAuthn",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: common),
        .testTarget(name: "WebhooksTests", dependencies: ["Webhooks"], swiftSettings: common),
        .testTarget(name: "MailTests", dependencies: ["Mail"], swiftSettings: common),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "Contract", "EarlyWarning", "Gazetteer", "JSON", "Languages", "Racing", "Schedules",
                "Tracking",
            ],
            exclude: ["Dispatch/CAP-v1.2.xsd", "Payloads/payloads.txt"], swiftSettings: common),
        .testTarget(name: "SealingTests", dependencies: ["Sealing"], swiftSettings: common),
        .testTarget(
            name: "StoreTests",
            dependencies: ["Contract", "EarlyWarning", "Store", "TestSupport", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "ExportTests",
            dependencies: [
                "Archive", "Contract", "Export", "ExportFiles", "JSON", "Store", "TestSupport",
                "Tracking",
            ],
            swiftSettings: common),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "Anonymity", "Archive", "Authenticator", "Base64", "Bridge", "Clocks", "Contract",
                "Directory", "EarlyWarning", "Export", "ExportFiles", "Gazetteer", "JSON",
                "Languages",
                "Limits", "MQTT", "OperatorTools", "Racing", "Sealing", "Settings", "Store",
                "TestSupport",
                "Tracking", "Web", "WebAuthn",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "OperatorToolsTests",
            dependencies: [
                "Contract", "JSON", "OperatorTools", "Store", "TestSupport", "Tracking",
            ],
            swiftSettings: common),
        .testTarget(
            name: "GateTests",
            dependencies: [
                "Contract", "Gate", "Limits", "TestSupport", "Tracking",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: common),
        // The same inside a Mosquitto.
        .testTarget(
            name: "GateBrokerTests",
            dependencies: [
                "Clocks", "CMalloc", "Contract", "Gate", "LocalBroker", "MQTT", "TestBroker",
                "TestSupport", "Tracking", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Contract", "ExportFiles", "JSON", "Languages", "Limits", "MQTT", "MapTiles",
                "TestSupport", "Tracking", "Web", "XML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "HomeAssistantTests", dependencies: ["HomeAssistant", "JSON"],
            swiftSettings: common),
        .testTarget(
            name: "SpecificationsTests",
            dependencies: ["Bridge", "Contract", "Specifications", "Yams"], swiftSettings: common),
        .testTarget(
            name: "GazetteerTests", dependencies: ["Gazetteer", "Tracking"],
            swiftSettings: common),
        .testTarget(
            name: "MapTilesTests",
            dependencies: [
                "MapTiles", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: common),
        .testTarget(
            name: "FakeGPSTests",
            dependencies: ["Archive", "Contract", "FakeGPS", "Racing", "Tracking"],
            swiftSettings: common),
        // Fleets of phones at a Mosquitto.
        .testTarget(
            name: "FleetTests",
            dependencies: ["Contract", "FakeGPS", "MQTT", "TestBroker", "TestSupport", "Tracking"],
            swiftSettings: common),

        // The parsers of foreign input, as functions of bytes.
        .target(
            name: "Fuzzing",
            dependencies: [
                "Anonymity", "Bridge", "Clocks", "Contract", "Directory", "ExportFiles", "FakeGPS",
                "Gate", "Gazetteer", "HomeAssistant", "JSON", "Languages", "Limits", "LocalBroker",
                "MQTT", "Mail", "MapTiles", "OperatorTools", "Schedules", "Sealing", "Settings",
                "Store", "TestSupport", "Tracking", "Transfer", "Web", "WebAuthn", "WebPush",
                "Webhooks", "XML",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Fuzzing", swiftSettings: optimized),
        .testTarget(
            name: "FuzzTests", dependencies: ["Fuzzing", "MQTT", "Web"], swiftSettings: common),

        .testTarget(
            name: "SimulationTests", dependencies: ["Contract", "Simulation"], swiftSettings: common
        ),

        // The compiler's index of the sources.
        .target(
            name: "CIndexStore", path: "Tests/CIndexStore",
            linkerSettings: [.linkedLibrary("dl")]),
        .testTarget(name: "SourceTests", dependencies: ["CIndexStore"], swiftSettings: common),
        .testTarget(name: "NumbersTests", swiftSettings: common),

        // The whole, as a user sees it: `kith` beside this bundle, and stock clients.
        .testTarget(
            name: "AcceptanceTests",
            dependencies: [
                "Browser", "kith", "kith-dev", "MQTT", "Simulation", "TestBroker", "TestServers",
                "TestSupport", "Tracking",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: common),
    ]
)

// Every module converts numbers.
for target in package.targets
where target.type != .system && target.path == nil
    && !["CVersion", "Numbers"].contains(target.name)
{
    target.dependencies.append("Numbers")
}

// A module's files are those in its own folder and those in its folder of each area.
let folders = groups.flatMap { group in
    group.value.map { (module: $0, folder: "\(group.key)/\($0)") }
}
let parts = areas.flatMap { area in
    area.value.map { (module: $0, folder: "Areas/\(area.key)/\($0)") }
}
for (module, folder) in folders {
    guard let target = package.targets.first(where: { $0.name == module }) else {
        preconditionFailure("\(folder) is not a module")
    }
    let own = parts.filter { $0.module == module }.map(\.folder)
    guard !own.isEmpty else {
        target.path = "Sources/\(folder)"
        continue
    }
    target.path = "Sources"
    target.sources = [folder] + own
    target.exclude = (folders + parts).filter { $0.module != module }.map(\.folder)
}
