// swift-tools-version: 6.2
import PackageDescription

// Built by tools/fuzz alone: libFuzzer wants everything instrumented.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "kith", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz", dependencies: [.product(name: "Fuzzing", package: "kith")],
            swiftSettings: [.swiftLanguageMode(.v6)],
            linkerSettings: [
                .unsafeFlags([
                    "-Xlinker", "--wrap=__sanitizer_cov_8bit_counters_init",
                    "-Xlinker", "--wrap=__sanitizer_cov_pcs_init",
                ])
            ])
    ]
)
