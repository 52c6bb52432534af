/// What the highlighter knows of a programming language.
struct CodeLanguage {
  var keywords: Set<Substring>
  var lineComments: [String]
  /// Opening and closing marks of comments that may span lines.
  var blockComment: (opening: String, closing: String)?
  var quotes: Set<Character>

  /// The language of a fence's label; nil when it is none of these.
  static func named(_ label: String) -> CodeLanguage? {
    switch label.lowercased() {
    case "python", "py", "python3": hashed(python, "\"'")
    case "sh", "bash", "shell", "zsh", "console": hashed(shell, "\"'")
    case "ruby", "rb": hashed(ruby, "\"'")
    case "yaml", "yml", "toml", "ini": hashed("true false null yes no on off", "\"'")
    case "c", "h", "cpp", "c++", "cc", "hpp", "cuda": slashed(c, "\"'")
    case "swift": slashed(swift, "\"")
    case "rust", "rs": slashed(rust, "\"")
    case "go", "golang": slashed(go, "\"'`")
    case "java", "kotlin", "kt", "scala", "csharp", "cs", "c#": slashed(java, "\"'")
    case "javascript", "js", "jsx", "typescript", "ts", "tsx": slashed(javascript, "\"'`")
    case "json", "jsonc": slashed("true false null", "\"")
    case "css", "scss": CodeLanguage("", [], ("/*", "*/"), "\"'")
    case "sql": CodeLanguage(sql + " " + sql.uppercased(), ["--"], ("/*", "*/"), "'\"")
    case "html", "xml", "svg": CodeLanguage("", [], ("<!--", "-->"), "\"'")
    case "lua", "haskell", "hs": CodeLanguage(lua, ["--"], nil, "\"'")
    default: nil
    }
  }

  private init(
    _ keywords: String, _ lineComments: [String], _ blockComment: (String, String)?,
    _ quotes: String
  ) {
    self.keywords = Set(keywords.split(separator: " "))
    self.lineComments = lineComments
    self.blockComment = blockComment
    self.quotes = Set(quotes)
  }

  private static func hashed(_ keywords: String, _ quotes: String) -> CodeLanguage {
    CodeLanguage(keywords, ["#"], nil, quotes)
  }

  private static func slashed(_ keywords: String, _ quotes: String) -> CodeLanguage {
    CodeLanguage(keywords, ["//"], ("/*", "*/"), quotes)
  }

  private static let python = """
    and as assert async await break class continue def del elif else except False finally for from \
    global if import in is lambda None nonlocal not or pass raise return True try while with yield
    """
  private static let shell = """
    if then else elif fi for in do done while until case esac function return exit export local set
    """
  private static let ruby = """
    begin break case class def do else elsif end ensure false for if in module next nil not or \
    rescue return self super then true unless until when while yield
    """
  private static let c = """
    auto bool break case catch char class const constexpr continue default delete do double else \
    enum extern false float for goto if include define inline int long namespace new nullptr \
    operator private protected public return short signed sizeof static struct switch template \
    this throw true try typedef typename union unsigned using virtual void volatile while
    """
  private static let swift = """
    actor any as associatedtype async await break case catch class continue default defer deinit do \
    else enum extension fallthrough false fileprivate for func guard if import in init inout \
    internal is let mutating nil nonisolated open operator package private protocol public repeat \
    rethrows return self Self some static struct subscript super switch throw throws true try \
    typealias var where while
    """
  private static let rust = """
    as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
    match mod move mut pub ref return self Self static struct super trait true type unsafe use \
    where while
    """
  private static let go = """
    break case chan const continue default defer else fallthrough false for func go goto if import \
    interface map nil package range return select struct switch true type var
    """
  private static let java = """
    abstract assert boolean break byte case catch char class const continue data default do double \
    else enum extends false final finally float for fun if implements import in instanceof int \
    interface internal is long namespace new null object override package private protected public \
    return short static string super switch synchronized this throw throws true try using val var \
    void volatile when while
    """
  private static let javascript = """
    async await break case catch class const continue debugger default delete do else enum export \
    extends false finally for from function if implements import in instanceof interface let new \
    null of private public return static super switch this throw true try type typeof undefined var \
    void while yield
    """
  private static let sql = """
    select from where and or not in is null insert into values update set delete create table \
    primary key foreign references drop alter add join left right inner outer on group by order \
    having limit offset as distinct union all case when then else end index view with exists \
    between like asc desc
    """
  private static let lua = """
    and break case class data deriving do else elseif end false for function if import in instance \
    let local module nil not of or repeat return then true type until where while
    """
}
