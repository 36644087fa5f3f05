//! How games end.

use game::Side;

/// How a game ended, as seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 投了
    Resigned,
    /// 中断
    Interrupted,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 入玉勝ち: the side to move declared a win.
    Declared,
    /// 引き分け: the side to move declared a draw.
    DeclaredDraw,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: there is no mate.
    NoMate,
    /// 切れ負け: the side to move lost on time.
    TimeUp,
    /// 反則負け: the side to move made an illegal move.
    IllegalMove,
    /// 反則勝ち: the opponent broke a rule.
    OpponentIllegal,
    /// 不戦敗: the side to move did not come to the game.
    Absent,
    /// 不戦勝: the opponent did not come to the game.
    OpponentAbsent,
    /// 最大手数: the game reached the agreed number of moves.
    MostMoves,
    /// 待った: the side to move took its move back.
    TakenBack,
    /// エラー
    Error,
}

impl Ending {
    /// All endings.
    pub const ALL: [Self; 16] = [
        Self::Resigned,
        Self::Interrupted,
        Self::Repetition,
        Self::Impasse,
        Self::Declared,
        Self::DeclaredDraw,
        Self::Mate,
        Self::NoMate,
        Self::TimeUp,
        Self::IllegalMove,
        Self::OpponentIllegal,
        Self::Absent,
        Self::OpponentAbsent,
        Self::MostMoves,
        Self::TakenBack,
        Self::Error,
    ];

    /// Returns the winner, or `None` if nobody won.
    pub const fn winner(self, turn: Side) -> Option<Side> {
        match self {
            Self::Resigned | Self::Mate | Self::TimeUp | Self::IllegalMove | Self::Absent => {
                Some(turn.other())
            }
            Self::Declared | Self::OpponentIllegal | Self::OpponentAbsent => Some(turn),
            _ => None,
        }
    }

    /// The word for the ending in KIF. The format has no words for the last three endings and for a declared draw.
    pub(super) const fn kif(self) -> &'static str {
        match self {
            Self::Resigned => "投了",
            Self::Interrupted => "中断",
            Self::Repetition => "千日手",
            Self::Impasse => "持将棋",
            Self::Declared => "入玉勝ち",
            Self::DeclaredDraw => "引き分け",
            Self::Mate => "詰み",
            Self::NoMate => "不詰",
            Self::TimeUp => "切れ負け",
            Self::IllegalMove => "反則負け",
            Self::OpponentIllegal => "反則勝ち",
            Self::Absent => "不戦敗",
            Self::OpponentAbsent => "不戦勝",
            Self::MostMoves => "最大手数",
            Self::TakenBack => "待った",
            Self::Error => "エラー",
        }
    }

    /// Returns the ending with this word in KIF. Words that only some programs write are read, too.
    pub(super) fn from_kif(word: &str) -> Option<Self> {
        match word {
            "入玉宣言" | "宣言勝ち" => Some(Self::Declared),
            "時間切れ" => Some(Self::TimeUp),
            _ => Self::ALL.into_iter().find(|ending| ending.kif() == word),
        }
    }

    /// The word for the ending in CSA. The format has no words for players who did not come.
    pub(super) const fn csa(self, turn: Side) -> &'static str {
        match self {
            Self::Resigned => "%TORYO",
            Self::Interrupted => "%CHUDAN",
            Self::Repetition => "%SENNICHITE",
            Self::Impasse => "%JISHOGI",
            Self::Declared => "%KACHI",
            Self::DeclaredDraw => "%HIKIWAKE",
            Self::Mate => "%TSUMI",
            Self::NoMate => "%FUZUMI",
            Self::TimeUp => "%TIME_UP",
            Self::IllegalMove => "%ILLEGAL_MOVE",
            Self::OpponentIllegal => match turn {
                Side::First => "%-ILLEGAL_ACTION",
                Side::Second => "%+ILLEGAL_ACTION",
            },
            Self::Absent => "%FUSENPAI",
            Self::OpponentAbsent => "%FUSENSHO",
            Self::MostMoves => "%MAX_MOVES",
            Self::TakenBack => "%MATTA",
            Self::Error => "%ERROR",
        }
    }

    /// Returns the ending with this word in CSA.
    pub(super) fn from_csa(word: &str, turn: Side) -> Option<Self> {
        match (word, turn) {
            ("%+ILLEGAL_ACTION", Side::First) | ("%-ILLEGAL_ACTION", Side::Second) => Some(Self::IllegalMove),
            _ => Self::ALL.into_iter().find(|ending| ending.csa(turn) == word),
        }
    }
}
