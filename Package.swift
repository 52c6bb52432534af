// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// An instruction set is a target with its own flags, and nothing else in the package has any:
// the rest is built for the baseline CPU and the kernel table is chosen at run time. These targets
// are pointers throughout, so marking each line `unsafe` would say nothing; strict memory safety is
// on everywhere else.
func kernelSettings(_ features: [String]) -> [SwiftSetting] {
  var flags = ["-O"]
  #if arch(x86_64)
    flags += features.flatMap { ["-Xcc", "-m\($0)"] }
  #endif
  // Debug builds lack whole-module optimisation, without which nothing is inlined or specialised
  // across files and tests take minutes. More than zero threads keep one object per file, as the
  // index store expects.
  let wholeModule = ["-disable-batch-mode", "-whole-module-optimization", "-num-threads", "1"]
  return [.unsafeFlags(flags), .unsafeFlags(wholeModule, .when(configuration: .debug))]
}

// The folders that hold nothing for this processor.
#if arch(x86_64)
  let foreign: [String] = []
#else
  let foreign = ["Vector"]
#endif

// The program carries the Swift runtime, so it runs where no toolchain is. Set here rather than by
// `--static-swift-stdlib`, which would compile every module a second time beside the tests' (these
// cannot be static). The libraries named are those that FoundationEssentials itself needs.
let staticRuntime: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-lswiftSynchronization",
    ],
    .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "pipit",
  products: [.executable(name: "pipit", targets: ["pipit"])],
  targets: [
    .systemLibrary(name: "CMachine"),
    .systemLibrary(name: "CVector"),
    // Without pkgConfig: the library is opened when it is needed, and not linked.
    .systemLibrary(
      name: "COpenBLAS",
      providers: [.apt(["libopenblas-dev"]), .brew(["openblas"])]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    // Without pkgConfig: its file carries a -D flag that SwiftPM refuses with a warning.
    .systemLibrary(
      name: "CUTF8Proc",
      providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
    .systemLibrary(
      name: "CEdit", pkgConfig: "libedit",
      providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
    .systemLibrary(
      name: "CMarkdown", pkgConfig: "libcmark-gfm",
      providers: [
        .apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"]),
      ]),
    // Without pkgConfig: the library is opened when it is needed, and not linked.
    .systemLibrary(
      name: "CCurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .target(name: "KernelTypes", swiftSettings: kernelSettings([])),
    .target(
      name: "KernelsPortable", dependencies: ["KernelTypes"],
      swiftSettings: kernelSettings([])),
    .target(
      name: "KernelsAVX2", dependencies: ["CVector", "KernelTypes"], exclude: foreign,
      swiftSettings: kernelSettings(["avx2", "f16c"])),
    .target(
      name: "KernelsAVXVNNI", dependencies: ["CVector", "KernelTypes"],
      swiftSettings: kernelSettings(["avx2", "f16c", "avxvnni"])),
    // The same sources in AVX-512's encoding: so they can be chosen, and are tested, on machines that
    // have these instructions in that form only.
    .target(
      name: "KernelsAVX512VL", dependencies: ["CVector", "KernelTypes"],
      swiftSettings: kernelSettings(["avx2", "f16c", "avx512vl", "avx512vnni"])),
    .target(
      name: "KernelsAVX512", dependencies: ["CVector", "KernelTypes"], exclude: foreign,
      swiftSettings: kernelSettings([
        "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vnni", "f16c",
      ])),
    .target(
      name: "KernelsGFNI", dependencies: ["CVector", "KernelTypes", "KernelsAVX512"],
      swiftSettings: kernelSettings([
        "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vnni", "f16c", "gfni",
      ])),
    .target(
      name: "Kernels",
      dependencies: [
        "CMachine", "COpenBLAS", "KernelTypes", "KernelsPortable",
        .target(name: "KernelsAVX2"), .target(name: "KernelsAVXVNNI"),
        .target(name: "KernelsAVX512VL"), .target(name: "KernelsAVX512"),
        .target(name: "KernelsGFNI"),
      ]),
    .target(name: "JSON"),
    .target(name: "Weights", dependencies: ["JSON", "Kernels"]),
    .target(name: "Tokenizers", dependencies: ["CPCRE2", "CUTF8Proc", "JSON"]),
    .target(name: "Templates", dependencies: ["JSON"]),
    .target(name: "Transformers", dependencies: ["JSON", "Kernels", "Weights"]),
    .target(
      name: "Conversion",
      dependencies: ["JSON", "Kernels", "Tokenizers", "Transformers", "Weights"]),
    .target(
      name: "Inference",
      dependencies: ["JSON", "Kernels", "Weights", "Transformers", "Tokenizers", "Templates"]),
    .target(name: "Conversations", dependencies: ["Inference", "JSON", "Tokenizers"]),
    // The menu travels in the binary: there is no file to find beside it.
    .target(
      name: "CatalogData", path: "Catalog", exclude: ["README.md", "bundled"],
      resources: [.embedInCode("models.json")]),
    .target(
      name: "ModelLibrary",
      dependencies: ["CCrypto", "CCurl", "CatalogData", "Inference", "JSON", "Weights"]),
    .target(name: "Markdown", dependencies: ["CMarkdown", "CUTF8Proc"]),
    .executableTarget(
      name: "pipit",
      dependencies: [
        "CEdit", "JSON", "Kernels", "Weights", "Tokenizers", "Templates", "Transformers",
        "Conversion", "Inference", "Conversations", "ModelLibrary", "Markdown",
      ],
      linkerSettings: staticRuntime),
    .executableTarget(
      name: "kernel-bench", dependencies: ["Kernels"], path: "Benchmarks/kernel-bench"),

    .target(
      name: "TestSupport", dependencies: ["JSON"], path: "Tests/TestSupport",
      exclude: ["fakehub.py"]),
    // Counts allocations in the test program; in no other.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(
      name: "KernelsTests",
      dependencies: [
        "KernelTypes", "KernelsPortable", "KernelsAVX2", "KernelsAVX512", "Kernels", "TestSupport",
      ]),
    .testTarget(
      name: "WeightsTests", dependencies: ["JSON", "Kernels", "Weights", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "TokenizersTests", dependencies: ["JSON", "Tokenizers", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "TemplatesTests", dependencies: ["JSON", "Templates", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "TransformersTests",
      dependencies: [
        "AllocationCounter", "JSON", "Kernels", "Weights", "Transformers", "TestSupport",
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "Conversion", "JSON", "Kernels", "Tokenizers", "Transformers", "Weights", "TestSupport",
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "InferenceTests",
      dependencies: [
        "AllocationCounter", "Kernels", "Weights", "Tokenizers", "Templates", "Transformers",
        "Inference", "TestSupport",
      ],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "ConversationsTests",
      dependencies: ["JSON", "Tokenizers", "Inference", "Conversations", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "ModelLibraryTests",
      dependencies: ["Inference", "JSON", "ModelLibrary", "TestSupport"]),
    .testTarget(
      name: "MarkdownTests", dependencies: ["Markdown"], resources: [.copy("Fixtures")]),
    .testTarget(
      name: "PipitTests", dependencies: ["JSON", "Kernels", "Markdown", "TestSupport"],
      resources: [.copy("Fixtures")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  let isKernelSet =
    target.name.hasPrefix("Kernel") && target.name != "Kernels"
    && target.name != "KernelsTests"
  target.swiftSettings =
    (target.swiftSettings ?? []) + strict + (isKernelSet ? [] : [.strictMemorySafety()])
}
