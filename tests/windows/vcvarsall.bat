@echo off
rem What the batch file of Visual Studio says and sets, as far as builds read it: vcvarsall.bat ARCHITECTURE
if "%~1"=="x64" goto x64
echo [ERROR:vcvarsall.bat] Invalid argument found : %~1
exit /B 1
:x64
echo **********************************************************************
echo ** Visual Studio 2022 Developer Command Prompt v17.14.0
echo ** Copyright (c) 2025 Microsoft Corporation
echo **********************************************************************
echo [vcvarsall.bat] Environment initialized for: 'x64'
set VSCMD_ARG_HOST_ARCH=x64
set VSCMD_ARG_TGT_ARCH=x64
set VSCMD_VER=17.14.0
set VSINSTALLDIR=%~dp0..\..\..\
set VCINSTALLDIR=%~dp0..\..\
set VCToolsVersion=14.44.35207
set VCToolsInstallDir=%~dp0..\..\Tools\MSVC\14.44.35207\
set VCToolsRedistDir=%~dp0..\..\Redist\MSVC\14.44.35112\
set INCLUDE=%~dp0..\..\Tools\MSVC\14.44.35207\include
set LIB=%~dp0..\..\Tools\MSVC\14.44.35207\lib\x64
set PATH=%~dp0..\..\Tools\MSVC\14.44.35207\bin\HostX64\x64;%PATH%
exit /B 0
